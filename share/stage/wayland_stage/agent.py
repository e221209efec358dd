"""`stage mcp`: the steps as tools of the Model Context Protocol, for agents that try out a Wayland client.

An agent starts a client, carries out steps, looks at screenshots, and ends the client, which lists the rules that it broke.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import tempfile
import threading
from typing import Any, Dict, List, Optional

from wayland_stage import Client, LocatorFailed, Stage, StepFailed, Violation, Violations

#: What agents read before they use the tools.
_INSTRUCTIONS = (
    "Plays a Wayland compositor for one client and judges it by the protocol's rules. Call start, then window to wait until it is shown, "
    "then any steps; screenshot returns the window's picture. Time stands still for the client unless a step such as advance moves it. "
    "Each answer lists the rules that the client broke since the last one. finish ends the client and lists all of them."
)


class Player:
    """Plays on at most one client at a time, for tools that come with their names and arguments."""

    def __init__(self, program: str, folder: str) -> None:
        self._program = program
        self._folder = folder
        self._client: Optional[Client] = None
        self._output: Any = None
        self._told = {"violations": 0, "advice": 0}
        self._shots = 0
        self._lock = threading.Lock()
        words = subprocess.run([program, "help", "schema"], check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout
        self._schema: Dict[str, Any] = json.loads(words)

    def tools(self) -> List[Dict[str, Any]]:
        """Every tool: its name, description and the schema of its arguments."""
        setup = dict(self._schema["setup"]["properties"])
        setup["seed"] = {"type": "integer", "description": "the seed of random sizes; 1 by default"}
        command = {"type": "array", "items": {"type": "string"}, "minItems": 1, "description": "the program and its arguments"}
        env = {"type": "object", "additionalProperties": {"type": "string"}, "description": "variables to add to its environment"}
        setup["accessibility"] = {"type": "boolean", "description": "true for an accessibility bus of its own: outline, find and tap work"}
        tools = [
            {
                "name": "start",
                "description": "Starts a client on a compositor of its own. The previous client must have been finished.",
                "schema": _object({"command": command, "env": env, **setup}, ["command"]),
            }
        ]
        for step in self._schema["steps"]:
            schema = step["parameters"]
            text = step["text"]
            if step["name"] == "screenshot":
                # The picture itself is the answer.
                text = "Returns the picture of a window with its subsurfaces, or of a popup, in its own pixels."
                chosen = {name: schema["properties"][name] for name in ("window", "popup")}
                schema = _object(chosen, [])
            tools.append({"name": step["name"], "description": text, "schema": schema})
        found = {
            "role": {"type": "string", "description": "a role of AT-SPI, such as button, check box, text"},
            "name": {"type": "string", "description": "the whole name"},
            "index": {"type": "integer", "description": "which of several, from 0"},
            "window": {"type": "integer", "minimum": 0, "description": "the window, from 0; 0 by default"},
        }
        tools += [
            {"name": "outline", "description": "Lists all that the client shows, by role and name.", "schema": _object({}, [])},
            {
                "name": "find",
                "description": "Waits for an element of the outline; returns its place in the window, states, value and text.",
                "schema": _object(found, []),
            },
            {"name": "tap", "description": "Waits for an element, and puts a finger on it.", "schema": _object(found, [])},
        ]
        tools.append(
            {
                "name": "finish",
                "description": "Ends the client. Returns every rule that it broke and no step expected, how it died if it did, and the end of what it printed.",
                "schema": _object({}, []),
            }
        )
        return tools

    def call(self, name: str, arguments: Dict[str, Any]) -> Answer:
        """Carries out a tool. Calls from several threads follow one another."""
        with self._lock:
            try:
                if name == "start":
                    if "command" not in arguments:
                        return Answer({"error": "start needs the client's command"}, is_error=True)
                    return self._start(**arguments)
                client = self._client
                if client is None:
                    return Answer({"error": "no client runs: call start first"}, is_error=True)
                if name == "finish":
                    return self._finish(client)
                if name in ("outline", "find", "tap"):
                    return Answer({**self._located(client, name, arguments), **self._news(client)})
                if name == "screenshot":
                    self._shots += 1
                    arguments = {**arguments, "name": f"screenshot-{self._shots}"}
                reply = client.step(name, **arguments)
                picture = reply.pop("path", None) if name == "screenshot" else None
                return Answer({**reply, **self._news(client)}, picture=picture)
            except (StepFailed, LocatorFailed, ValueError, RuntimeError) as error:
                return Answer({"error": str(error), **self._news(self._client)}, is_error=True)

    def _located(self, client: Client, name: str, arguments: Dict[str, Any]) -> Dict[str, Any]:
        if name == "outline":
            return {"outline": client.outline().splitlines()}
        locator = client.find(**arguments)
        if name == "tap":
            locator.tap()
            return {"tapped": str(locator)}
        place = locator.extents._asdict()
        return {**place, "states": locator.states, "value": locator.value, "text": locator.text}

    def close(self) -> None:
        """Ends the client that still runs, if any."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _start(self, command: List[str], env: Optional[Dict[str, str]] = None, seed: int = 1, **setup: Any) -> Answer:
        if self._client is not None:
            return Answer({"error": "a client runs: call finish first"}, is_error=True)
        self._told = {"violations": 0, "advice": 0}
        self._output = tempfile.TemporaryFile()
        stage = Stage(self._program, out=self._folder, seed=seed, **setup)
        self._client = stage.client(*command, env=env, output=self._output.fileno())
        try:
            self._client.step("no-violation")
        except StepFailed as error:
            self.close()
            return Answer({"error": str(error), "output": self._printed()}, is_error=True)
        return Answer({"started": command})

    def _finish(self, client: Client) -> Answer:
        self._client = None
        try:
            client.finish()
        except (StepFailed, Violations):
            client.close()
        result = {
            "violations": _listed(client.violations),
            "advice": _listed(client.advice),
            "death": client.death,
            "output": self._printed(),
        }
        return Answer(result)

    def _printed(self) -> str:
        """The end of what the client printed."""
        size = self._output.seek(0, os.SEEK_END)
        self._output.seek(max(0, size - 4000))
        return str(self._output.read().decode(errors="replace"))

    def _news(self, client: Optional[Client]) -> Dict[str, Any]:
        """The rules that the client broke since the last answer."""
        news: Dict[str, Any] = {}
        for name, found in (("violations", client.violations), ("advice", client.advice)) if client else ():
            # A step may have taken some away.
            new = found[min(self._told[name], len(found)) :]
            self._told[name] = len(found)
            if new:
                news[name] = _listed(new)
        return news


class Answer:
    """What a tool returns: values, and the path of a picture."""

    def __init__(self, values: Dict[str, Any], picture: Optional[str] = None, is_error: bool = False) -> None:
        self.values = values
        self.picture = picture
        self.is_error = is_error


def _object(properties: Dict[str, Any], required: List[str]) -> Dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _listed(violations: List[Violation]) -> List[str]:
    """Each violation once, in words."""
    return list(dict.fromkeys(str(violation) for violation in violations))


def serve(program: str) -> int:
    """Serves on standard input and output until the agent leaves; returns the exit code."""
    try:
        import anyio
        from mcp import types
        from mcp.server.lowlevel import Server
        from mcp.server.stdio import stdio_server
    except ImportError:
        print("stage mcp needs the Python package mcp, version 2: pip install 'mcp>=2' (the wheel's extra [mcp])", file=sys.stderr)
        return 2

    async def run(player: Player) -> None:
        async def list_tools(context: Any, parameters: Any) -> types.ListToolsResult:
            tools = [
                types.Tool(name=tool["name"], description=tool["description"], input_schema=tool["schema"])
                for tool in player.tools()
            ]
            return types.ListToolsResult(tools=tools)

        async def call_tool(context: Any, parameters: types.CallToolRequestParams) -> types.CallToolResult:
            # A step takes real time, and other messages are answered meanwhile.
            answer = await anyio.to_thread.run_sync(player.call, parameters.name, parameters.arguments or {})
            content: List[Any] = [types.TextContent(text=json.dumps(answer.values, ensure_ascii=False))]
            if answer.picture:
                with open(answer.picture, "rb") as file:
                    data = base64.b64encode(file.read()).decode()
                content.append(types.ImageContent(data=data, mime_type="image/png"))
            return types.CallToolResult(content=content, is_error=answer.is_error)

        server = Server("stage", instructions=_INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    with tempfile.TemporaryDirectory(prefix="stage-") as folder:
        player = Player(program, folder)
        try:
            anyio.run(run, player)
        except KeyboardInterrupt:
            pass
        finally:
            player.close()
    return 0


if __name__ == "__main__":
    sys.exit(serve(sys.argv[1]))
