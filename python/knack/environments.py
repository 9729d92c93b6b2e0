"""Games as the environments that training loops expect: reset, step, legal moves, observations as arrays.

    env = knack.Environment(k, "othello(size=6)")
    observation = env.reset()
    while not env.over:
        observation, rewards, over, info = env.step(rng.choice(env.legal_actions()))

`aec(k, game)` has the interface of a PettingZoo AEC environment, `load_game(k, game)` that of an OpenSpiel game and its states. Both are duck-typed: neither package is
needed, and code that was written for them runs. Where PettingZoo and Gymnasium are installed, an AEC is one of PettingZoo's environments, with Gymnasium's spaces.

An action is a number for a move. Moves of one cell have the cell's number; all others (passes, captures, slides) are numbered in the order in which any environment of the
same game in this Knack first met them, so that numbers agree between environments. Rewards are payoffs, 0 before the end.
"""
from __future__ import annotations

import operator
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy

from . import Error, Knack
from .grid import Array, Grid

__all__ = ["AEC", "Actions", "Environment", "Game", "State", "aec", "load_game"]


class Actions:
    """Numbers for the moves of a game, both ways."""

    def __init__(self, names: List[str], room: int):
        self.room = room
        self._moves = list(names)
        self._numbers = {name: number for number, name in enumerate(names)}

    def number(self, move: str) -> int:
        """The number of a move, which gets one if it has none."""
        if move not in self._numbers:
            if len(self._moves) == self.room:
                raise Error(f"this game has more than {self.room} different moves: ask for more room (actions=...)", 2)
            self._numbers[move] = len(self._moves)
            self._moves.append(move)
        return self._numbers[move]

    def move(self, number: Any) -> str:
        """The move of a number."""
        number = operator.index(number)
        if not 0 <= number < len(self._moves):
            raise Error(f"there is no move number {number}: legal_actions() lists them", 2)
        return self._moves[number]


def _is(kind: type, value: Any, how: str) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"expected {how}, not {type(value).__name__}")
    return value


def _actions(knack: Knack, board: Any, room: int) -> Actions:
    tables = knack.__dict__.setdefault("_actions", {})
    key = board.state()["game"]
    if key not in tables:
        names = board.layout()["names"]
        tables[key] = Actions(names, max(room, len(names) + 64))
    return tables[key]


class Environment:
    """One game: reset(), step(action), legal_actions(), legal_moves(), observation(), mask()."""

    def __init__(self, knack: Knack, game: str, actions: int = 1024, position: Optional[str] = None):
        self.knack, self.game, self._position = _is(Knack, knack, "an open library (knack.open())"), game, position
        self.board = knack.board(game, position)
        self.actions = _actions(knack, self.board, actions)
        self.roles: List[str] = self.board.state()["roles"]
        self._refresh()

    def _refresh(self) -> None:
        self._state = self.board.state()
        if len(self._state["movers"]) > 1:
            raise Error(f"{self.game} has simultaneous moves: environments are for games of turns", 2)
        self._layout = self.board.layout()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._state["over"]

    @property
    def mover(self) -> int:
        """The role to move, as a number; -1 when the game is over."""
        return self.roles.index(self._state["movers"][0]) if self._state["movers"] else -1

    @property
    def payoffs(self) -> Array:
        """A number for each role; 0 before the end."""
        return numpy.array(self._state["payoffs"] or [0.0] * len(self.roles))

    def reset(self) -> Array:
        """Begins another game. Returns its first observation."""
        self.board.close()
        self.board = self.knack.board(self.game, self._position)
        self._refresh()
        return self.observation()

    def legal_moves(self) -> List[str]:
        """The legal moves in the game's notation."""
        return [] if self.over else self._state["moves"][self._state["movers"][0]]

    def legal_actions(self) -> List[int]:
        """The numbers of the legal moves."""
        return [self.actions.number(move) for move in self.legal_moves()]

    def mask(self) -> Array:
        """1 for each legal action."""
        mask = numpy.zeros(self.actions.room, dtype=numpy.int8)
        mask[self.legal_actions()] = 1
        return mask

    def cells(self) -> Array:
        """What is on each cell, an index into `symbols`: (cells,), uint8."""
        return numpy.array(self._layout["cells"], dtype=numpy.uint8)

    @property
    def symbols(self) -> str:
        """A letter for each thing that can stand on a cell, the empty cell's first."""
        return str(self._layout["symbols"])

    def observation(self, role: Optional[int] = None, grid: bool = False) -> Array:
        """Planes, one for each kind of piece and one that says whether `role` (default: the mover) is the first:
        (planes, cells), float32; with grid=True as pictures, (planes, height, width)."""
        layout = self._layout
        if not layout["cells"]:
            raise Error(f"{self.game} has no board to observe", 2)
        cells = numpy.array(layout["cells"], dtype=numpy.uint8)
        kinds = numpy.arange(1, max(len(layout["symbols"]), 2), dtype=numpy.uint8)
        planes = (cells[None, :] == kinds[:, None]).astype(numpy.float32)
        first = numpy.full((1, len(cells)), float((self.mover if role is None else role) == 0), dtype=numpy.float32)
        planes = numpy.concatenate([planes, first])
        return Grid.fill(Grid.of(layout["places"]), planes) if grid else planes

    def step(self, action: Any) -> Tuple[Array, Array, bool, Dict[str, Any]]:
        """Plays an action. Returns observation, rewards of all roles, over, info."""
        if self.over:
            raise Error("the game is over: reset() begins another", 2)
        move = self.actions.move(action)
        if move not in self.legal_moves():
            raise Error(f"{move} (action {action}) is not legal here; legal: {' '.join(self.legal_moves()[:40])}", 2)
        self.board.play(move)
        self._refresh()
        return self.observation(), self.payoffs, self.over, {"move": move}

    def close(self) -> None:
        """Ends the game."""
        self.board.close()

    def _repr_html_(self) -> str:
        return self.board._repr_html_()


# ---- PettingZoo's AEC interface ----

class Space:
    """A set of actions or arrays, as far as training loops ask for it: n, shape, dtype, sample(mask), contains."""

    def __init__(self, n: Optional[int] = None, shape: Tuple[int, ...] = (), seed: int = 1):
        self.n, self.shape, self.dtype = n, shape, numpy.dtype("int64" if n else "float32")
        self._rng = numpy.random.default_rng(seed)

    def seed(self, seed: int) -> None:
        """Seeds sample()."""
        self._rng = numpy.random.default_rng(seed)

    def sample(self, mask: Optional[Array] = None) -> int:
        """Any action, of those that a mask allows."""
        if mask is None:
            return int(self._rng.integers(self.n or 1))
        return int(self._rng.choice(numpy.flatnonzero(mask)))

    def contains(self, value: Any) -> bool:
        """Whether a value belongs to it."""
        return 0 <= int(value) < self.n if self.n else numpy.shape(value) == self.shape


try:  # isinstance(env, AECEnv) holds where PettingZoo is there
    from gymnasium import spaces as _spaces
    from pettingzoo import AECEnv as _Base
except ImportError:
    _spaces, _Base = None, object


class Spaces(Dict[str, Space]):
    """Spaces by name, for observations with several parts."""

    def __init__(self, **parts: Space):
        super().__init__(parts)

    def contains(self, value: Any) -> bool:
        """Whether each part of a value belongs to its space."""
        return isinstance(value, dict) and value.keys() == self.keys() and all(self[name].contains(value[name]) for name in self)


class AEC(_Base):
    """A PettingZoo-like environment: reset, agent_iter, last, step, observe, rewards, terminations, truncations, infos."""

    metadata = {"render_modes": ["ansi"], "name": "knack", "is_parallelizable": False}
    render_mode = "ansi"

    def __init__(self, knack: Knack, game: str, actions: int = 1024):
        self._env = Environment(knack, game, actions)
        self.possible_agents = list(self._env.roles)
        room, shape = self._env.actions.room, self._env.observation().shape
        self.action_spaces = {agent: _spaces.Discrete(room) if _spaces else Space(room) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._observed(room, shape) for agent in self.possible_agents}
        self.reset()

    @staticmethod
    def _observed(room: int, shape: Tuple[int, ...]) -> Any:
        """The space of {"observation", "action_mask"}."""
        if _spaces:
            return _spaces.Dict({"observation": _spaces.Box(0, 1, shape, numpy.float32), "action_mask": _spaces.Box(0, 1, (room,), numpy.int8)})
        return Spaces(observation=Space(shape=shape), action_mask=Space(shape=(room,)))

    def action_space(self, agent: str) -> Any:
        """The actions of an agent."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Any:
        """The observations of an agent."""
        return self.observation_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """Begins another game; a seed is for the samples of action spaces."""
        self._env.reset()
        if seed is not None:
            for number, agent in enumerate(self.possible_agents):
                self.action_spaces[agent].seed(seed + number)
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._env.mover]

    @property
    def num_agents(self) -> int:
        """Agents that are still there."""
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        """Agents that there are at the start."""
        return len(self.possible_agents)

    @property
    def unwrapped(self) -> "AEC":
        """Itself: it wraps no other environment."""
        return self

    def state(self) -> Array:
        """What everybody sees: the planes of the position."""
        return self._env.observation(0)

    def observe(self, agent: str) -> Dict[str, Array]:
        """{"observation": planes, "action_mask": 1 for each legal action of the agent that has the move}."""
        role = self.possible_agents.index(agent)
        mask = self._env.mask() if role == self._env.mover else numpy.zeros(self._env.actions.room, dtype=numpy.int8)
        return {"observation": self._env.observation(role), "action_mask": mask}

    def last(self, observe: bool = True) -> Tuple[Any, float, bool, bool, Dict[str, Any]]:
        """For the agent that has the move: observation, reward since its last move, terminated, truncated, info."""
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], self.infos[agent])

    def agent_iter(self, max_iter: int = 2 ** 63) -> Iterator[str]:
        """The agents in the order of their moves, until all have left."""
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def step(self, action: Any) -> None:
        """Plays an action of the agent that has the move; None after the end."""
        agent = self.agent_selection
        if self.terminations[agent]:  # an agent that is done takes its last reward and leaves
            if action is not None:
                raise ValueError("when an agent is done, the only valid action is None")
            self.agents.remove(agent)
            tables: List[Dict[str, Any]] = [self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos]
            for table in tables:
                del table[agent]
            self.rewards = {a: 0.0 for a in self.agents}  # they were given when the game ended
            if self.agents:
                self.agent_selection = self.agents[0]
            return
        self._cumulative_rewards[agent] = 0.0
        _, payoffs, over, _ = self._env.step(action)
        self.rewards = {a: float(payoffs[i]) if over else 0.0 for i, a in enumerate(self.possible_agents)}
        for a in self.agents:
            self._cumulative_rewards[a] += self.rewards[a]
        if over:
            self.terminations = {a: True for a in self.agents}
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self._env.mover]

    def render(self) -> str:
        """The board as text."""
        return str(self._env.board)

    def close(self) -> None:
        """Ends the game."""
        self._env.close()


def aec(knack: Knack, game: str, actions: int = 1024) -> AEC:
    """A PettingZoo-like AEC environment of a game."""
    return AEC(knack, game, actions)


# ---- OpenSpiel's interface ----

class Game:
    """An OpenSpiel-like game: new_initial_state, num_players, num_distinct_actions, ..."""

    def __init__(self, knack: Knack, game: str, actions: int = 1024):
        self._knack, self._spec = _is(Knack, knack, "an open library (knack.open())"), game
        self._board = knack.board(game)
        self._actions = _actions(knack, self._board, actions)
        self._about = self._board.layout()

    def new_initial_state(self) -> "State":
        """The start of a game."""
        return State(self, [])

    def num_players(self) -> int:
        """Players, those that move by chance included."""
        return len(self._board.state()["roles"])

    def num_distinct_actions(self) -> int:
        """Room for the numbers of actions."""
        return self._actions.room

    def min_utility(self) -> float:
        """The least that a player can get."""
        return self._about["payoffs"][0]

    def max_utility(self) -> float:
        """The most that a player can get."""
        return self._about["payoffs"][1]

    def observation_tensor_shape(self) -> List[int]:
        """The shape of observation_tensor()."""
        return [max(len(self._about["symbols"]), 2), len(self._about["cells"])]

    def __str__(self) -> str:
        return self._spec


class State:
    """An OpenSpiel-like state; clone() and child() are independent of it."""

    def __init__(self, game: Game, played: List[str]):
        self._game = _is(Game, game, "a game of load_game()")
        self._env = Environment(game._knack, game._spec, game._actions.room)
        if played:
            self._env.board.play(*played)
            self._env._refresh()

    def get_game(self) -> Game:
        """The game of this state."""
        return self._game

    def current_player(self) -> int:
        """The player to move; -4 when the game is over."""
        return -4 if self._env.over else self._env.mover

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._env.over

    def is_chance_node(self) -> bool:
        """Never: who moves by chance is a player here."""
        return False

    def is_simultaneous_node(self) -> bool:
        """Never: environments are for games of turns."""
        return False

    def legal_actions(self, player: Optional[int] = None) -> List[int]:
        """The legal actions, in increasing order."""
        return [] if player is not None and player != self._env.mover else sorted(self._env.legal_actions())

    def legal_actions_mask(self, player: Optional[int] = None) -> List[int]:
        """1 for each legal action."""
        return [0] * self._env.actions.room if player is not None and player != self._env.mover else self._env.mask().tolist()

    def action_to_string(self, player: int, action: Optional[int] = None) -> str:
        """The move of an action, in the notation of the game."""
        return self._env.actions.move(player if action is None else action)

    def string_to_action(self, text: str) -> int:
        """The action of a legal move."""
        if text not in self._env.legal_moves():
            raise Error(f"{text!r} is no legal move; legal: {' '.join(self._env.legal_moves()[:40])}", 2)
        return self._env.actions.number(text)

    def apply_action(self, action: int) -> None:
        """Plays an action."""
        self._env.step(action)

    def undo_action(self, player: int, action: int) -> None:
        """Takes the last action back."""
        self._env.board.undo()
        self._env._refresh()

    def returns(self) -> List[float]:
        """What each player got; 0 before the end."""
        return self._env.payoffs.tolist()

    rewards = returns

    def player_return(self, player: int) -> float:
        """What one player got."""
        return self.returns()[player]

    def history(self) -> List[int]:
        """The actions so far."""
        return [self._env.actions.number(move) for move in self._env.board.played]

    def observation_tensor(self, player: Optional[int] = None) -> List[float]:
        """The planes of the board as one list."""
        return self._env.observation(player).ravel().tolist()

    information_state_tensor = observation_tensor

    def observation_string(self, player: Optional[int] = None) -> str:
        """The position in the notation of the game."""
        return self._env.board.position

    def clone(self) -> "State":
        """Another state with the same history."""
        return State(self._game, self._env.board.played)

    def child(self, action: int) -> "State":
        """The state after an action; this one stays."""
        state = self.clone()
        state.apply_action(action)
        return state

    def __str__(self) -> str:
        return str(self._env.board)


def load_game(knack: Knack, game: str, actions: int = 1024) -> Game:
    """An OpenSpiel-like game."""
    return Game(knack, game, actions)
