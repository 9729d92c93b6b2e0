// Two satisficing agents in the prisoner's dilemma (docs/satisficing.md). The server computes the maps; this draws one walk, and a test compares both.

const PAYOFFS = {CC: ['sigma', 'sigma'], CD: [0, 1], DC: [1, 0], DD: ['delta', 'delta']};

/** One step of two satisficing agents: keep the action that paid at least the aspiration, else change it; aspirations follow what was paid. */
export function satisfice({actions, aspirations}, {sigma, delta, lambda}) {
  const paid = PAYOFFS[actions].map((value) => ({sigma, delta})[value] ?? value);
  const other = {C: 'D', D: 'C'};
  return {
    actions: [...actions].map((action, i) => paid[i] >= aspirations[i] ? action : other[action]).join(''),
    aspirations: aspirations.map((one, i) => lambda * one + (1 - lambda) * paid[i]), paid,
  };
}
