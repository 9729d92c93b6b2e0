.PHONY: all
all:
	@cmake --preset release >/dev/null && cmake --build --preset release
