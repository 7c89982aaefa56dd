"""Tools of an environment: declared once as typed functions, offered as OpenAI schemas, called by text.

tasks -> EnvWorker[N: action text -> parse_tool_calls -> Toolkit.run -> observation] <-> Engine[M] -> …
"""

from distrl.envs.toolkit.calls import ParsedAction, clean_text, cut, parse_tool_calls, strict_json
from distrl.envs.toolkit.kit import EpisodeState, Tool, ToolError, ToolFailure, Toolkit, copied
from distrl.envs.toolkit.schema import Arg, ToolKind

__all__ = [
    "Arg",
    "EpisodeState",
    "ParsedAction",
    "Tool",
    "ToolError",
    "ToolFailure",
    "ToolKind",
    "Toolkit",
    "clean_text",
    "copied",
    "cut",
    "parse_tool_calls",
    "strict_json",
]
