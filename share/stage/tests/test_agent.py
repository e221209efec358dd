"""`stage mcp`, by the client of the package mcp itself, over standard input and output."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Awaitable, Callable, Dict, List

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

PROGRAM = str(Path(sys.executable).with_name("stage"))


def serve(act: Callable[[Client], Awaitable[None]]) -> None:
    """Starts the server and acts as an agent does."""

    async def run() -> None:
        with anyio.fail_after(60):
            async with Client(stdio_client(StdioServerParameters(command=PROGRAM, args=["mcp"]))) as client:
                await act(client)

    anyio.run(run)


async def call(client: Client, name: str, /, **arguments: Any) -> Dict[str, Any]:
    """Calls a tool; returns its values, with "isError" if it failed."""
    result = await client.call_tool(name, arguments)
    values: Dict[str, Any] = json.loads(result.content[0].text)
    return {**values, **({"isError": True} if result.is_error else {})}


def test_every_step_is_a_tool_with_its_parameters() -> None:
    async def act(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        table = subprocess.run([PROGRAM, "help", "steps"], check=True, stdout=subprocess.PIPE, text=True).stdout
        steps = [line.split("`")[1] for line in table.splitlines()[2:]]
        assert list(tools) == ["start", *steps, "outline", "find", "tap", "finish"]
        down = tools["touch-down"].input_schema
        assert down["required"] == ["x", "y"] and down["properties"]["x"]["type"] == "number"
        assert "Puts a finger down" in (tools["touch-down"].description or "")
        assert "heldBufferWritten" in tools["start"].input_schema["properties"]["allow"]["items"]["enum"]

    serve(act)


def test_an_agent_starts_a_client_plays_looks_and_is_told_what_it_broke(raw: Callable[[str], List[str]]) -> None:
    async def act(client: Client) -> None:
        assert "start first" in (await call(client, "window"))["error"]
        assert (await call(client, "start", command=raw("undamaged")))["started"]
        assert (await call(client, "start", command=["true"]))["isError"]
        window = await call(client, "window", title="raw")
        assert (window["width"], window["height"]) == (120, 100)
        picture = await client.call_tool("screenshot", {})
        image = picture.content[1]
        assert image.mime_type == "image/png" and base64.b64decode(image.data).startswith(b"\x89PNG")
        wrong = await call(client, "touch-down", x="left", y=3)
        assert wrong["isError"] and '"x" needs a number' in wrong["error"]
        assert (await call(client, "sing"))["isError"]
        await call(client, "configure", width=200, height=100)
        await call(client, "advance", ms=50)
        end = await call(client, "finish")
        assert end["violations"] and "death" in end
        # Then the next one.
        assert (await call(client, "start", command=raw("polite"), output=[800, 480]))["started"]
        assert (await call(client, "window"))["title"] == "raw"
        assert (await call(client, "finish"))["violations"] == []

    serve(act)


def test_an_agent_finds_by_name_and_is_told_what_there_is() -> None:
    async def act(client: Client) -> None:
        greeter = ["/usr/bin/python3", str(Path(__file__).with_name("greeter.py"))]
        await call(client, "start", command=greeter, env={"GDK_BACKEND": "wayland"}, accessibility=True)
        await call(client, "window", title="greeter", within=20000)
        outline = (await call(client, "outline"))["outline"]
        assert any(line.endswith("check box 'Polite'") for line in outline)
        polite = await call(client, "find", role="check box", name="Polite")
        assert polite["width"] > 0 and "checked" not in polite["states"]
        await call(client, "tap", role="check box", name="Polite")
        assert "checked" in (await call(client, "find", name="Polite"))["states"]
        missing = await call(client, "tap", name="Rude")
        assert missing["isError"] and missing["error"].startswith("nothing fits name='Rude'. There is:")
        await call(client, "finish")

    serve(act)


def test_an_agent_is_told_how_a_client_died_and_what_it_printed(raw: Callable[[str], List[str]]) -> None:
    async def act(client: Client) -> None:
        await call(client, "start", command=["sh", "-c", "echo broken >&2; exit 7"])
        window = await call(client, "window", within=3000)
        assert window["isError"] and "ended with 7" in window["error"]
        end = await call(client, "finish")
        assert end["death"] == "the client ended with 7" and end["output"] == "broken\n"
        missing = await call(client, "start", command=["/nowhere/app"])
        assert missing["isError"] and "can't start /nowhere/app" in missing["output"]
        await call(client, "start", command=raw("polite"))

    # A client that still runs ends with the server.
    serve(act)


def test_without_the_package_a_line_says_how_to_get_it() -> None:
    words = "import sys; sys.modules['mcp'] = None; from wayland_stage.agent import serve; sys.exit(serve('stage'))"
    result = subprocess.run([sys.executable, "-c", words], stderr=subprocess.PIPE, text=True)
    assert result.returncode == 2
    assert result.stderr == "stage mcp needs the Python package mcp, version 2: pip install 'mcp>=2' (the wheel's extra [mcp])\n"


