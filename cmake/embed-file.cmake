file(READ ${IN} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUT} "#include <stddef.h>
extern const unsigned char kn_embedded_${SYMBOL}[];
extern const size_t kn_embedded_${SYMBOL}_size;
const unsigned char kn_embedded_${SYMBOL}[] = {${bytes}0};
const size_t kn_embedded_${SYMBOL}_size = sizeof kn_embedded_${SYMBOL} - 1;
")
