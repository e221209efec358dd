#!/usr/bin/env python3
r"""Fills a manual page or writes completions from the program's own `--help`: one list of options for all of them.

    manual.py man TEMPLATE VERSION DATE PREFIX <HELP
    manual.py bash|zsh|fish PROGRAM <HELP
"""
import re
import sys
from dataclasses import dataclass


def die(words):
    sys.exit(f"manual.py: {words}")


@dataclass
class Option:
    name: str
    value: str
    text: str
    group: str

    @property
    def choices(self):
        """The values to choose from, where the help names them all."""
        if self.value == "PLACE":
            return ["-", "unix:", "udp:"]
        if found := re.fullmatch(r"N\|R\|1\.\.([0-9]+)", self.value):
            return ["N", "R", *(str(gear) for gear in range(1, int(found[1]) + 1))]
        is_list = re.fullmatch(r"[a-z]+(\|[a-zA-Z]+)+", self.value)
        return [word for word in self.value.split("|") if not re.search("[A-Z]", word)] if is_list else []

    @property
    def is_file(self):
        return self.value.startswith(("FILE", "FOLDER"))


class Help:
    """The options, keys and commands of a help."""

    def __init__(self, lines):
        self.options, self.keys, self.commands = [], [], []
        section = group = ""
        for line in lines:
            line = line.removesuffix("\n")
            # The cockpit's options come in groups, each with a heading of its own.
            if found := re.fullmatch(r"(Options|Keys|Commands)( for .*)?:", line):
                section, group = found[1], found[1] + found[2] if found[2] else ""
                continue
            if re.match(r"\S", line):
                section = ""
            if section and line:
                self.take(line, section, group)
        if len(self.options) <= 5 or not (self.keys or self.commands):
            die("no options in the help")

    def take(self, line, section, group):
        if section == "Options":
            if found := re.fullmatch(r"  --(\S+)(?: (\S+))?(?:\s+(\S.*))?", line):
                self.options.append(Option(found[1], found[2] or "", found[3] or "", group))
            elif self.options and (found := re.fullmatch(r"\s{20,}(\S.*)", line)):
                self.options[-1].text += (" " if self.options[-1].text else "") + found[1]
            else:
                die(f"the help has a line of another form: {line}")
        elif section == "Commands":
            if found := re.fullmatch(r"  (\w+)\s{2,}(\S.*)", line):
                self.commands.append(found.groups())
        elif found := re.fullmatch(r"  (\S(?:.*?\S)?)\s{2,}(\S.*)", line):
            self.keys.append(found.groups())


def roff(text):
    return re.sub(r"^([.'])", r"\\&\1", text.replace("\\", "\\e").replace("-", "\\-"))


def man(said, template, version, date, prefix):
    heading, options = "", []
    for option in said.options:
        above = "" if option.group == heading else f".SS {option.group}\n"
        heading = option.group
        value = rf" \fI{roff(option.value)}\fR" if option.value else ""
        options.append(f"{above}.TP\n\\fB\\-\\-{roff(option.name)}\\fR{value}\n{roff(option.text)}")
    keys = [f".TP\n.B {roff(key)}\n{roff(text)}" for key, text in said.keys]
    parts = {"VERSION": version, "DATE": date, "PREFIX": prefix, "OPTIONS": "\n".join(options), "KEYS": "\n".join(keys)}

    def part(found):
        return parts[found[1]] if found[1] in parts else die(f"{template}: no such part: {found[1]}")

    with open(template, encoding="utf-8") as file:
        return re.sub("@([A-Z]+)@", part, file.read())


def bash(said, program):
    function = f"_{program}".replace("-", "_")
    lines = [
        f"# bash completion for {program}",
        f"{function}() {{",
        "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}",
        # bash parts "--option=value" at the sign.
        "  [[ $current != = ]] || current=",
        "  [[ $previous != = || $COMP_CWORD -lt 2 ]] || previous=${COMP_WORDS[COMP_CWORD - 2]}",
        "  case $previous in",
    ]
    for option in said.options:
        if option.choices:
            words = " ".join(option.choices)
            lines.append(f"    --{option.name}) COMPREPLY=($(compgen -W '{words}' -- \"$current\")) && return ;;")
        elif option.is_file:
            lines.append(f"    --{option.name}) COMPREPLY=($(compgen -f -- \"$current\")) && return ;;")
        elif option.value:
            lines.append(f"    --{option.name}) return ;;")
    lines.append("  esac")
    if said.commands:
        commands = " ".join(name for name, _ in said.commands)
        lines.append(f"  [[ $COMP_CWORD -gt 1 ]] || {{ COMPREPLY=($(compgen -W '{commands}' -- \"$current\")) && return; }}")
        # Scripts and clients are files.
        lines.append('  [[ $current == -* ]] || { COMPREPLY=($(compgen -f -- "$current")) && return; }')
    names = " ".join(f"--{option.name}" for option in said.options)
    lines += [f"  COMPREPLY=($(compgen -W '{names}' -- \"$current\"))", "}", f"complete -o filenames -F {function} {program}"]
    return "\n".join(lines) + "\n"


def zsh(said, program):
    lines = [f"#compdef {program}", "_arguments \\"]
    if said.commands:
        lines.append(f"  '1:command:({' '.join(name for name, _ in said.commands)})' '*:file:_files' \\")

    def argument(option):
        text = re.sub(r"['\[\]:\\]", lambda found: "'\\''" if found[0] == "'" else "\\" + found[0], option.text)
        value = ":value: "
        if not option.value:
            value = ""
        elif option.choices:
            value = f":value:({' '.join(option.choices)})"
        elif option.is_file:
            value = ":file:_files"
        return f"  '--{option.name}[{text}]{value}'"

    return "\n".join(lines) + "\n" + " \\\n".join(argument(option) for option in said.options) + "\n"


def fish(said, program):
    def quoted(text):
        return re.sub(r"(['\\])", r"\\\1", text)

    lines = [f"complete -c {program}" + ("" if said.commands else " -f")]
    lines += [f"complete -c {program} -f -n __fish_use_subcommand -a {name} -d '{quoted(text)}'" for name, text in said.commands]
    for option in said.options:
        value = " -x"
        if not option.value:
            value = ""
        elif option.choices:
            value = f" -x -a '{' '.join(option.choices)}'"
        elif option.is_file:
            value = " -r -F"
        lines.append(f"complete -c {program} -l {option.name}{value} -d '{quoted(option.text)}'")
    return "\n".join(lines) + "\n"


def main():
    forms = {"man": man, "bash": bash, "zsh": zsh, "fish": fish}
    kind, *arguments = sys.argv[1:] or [""]
    if kind not in forms or len(arguments) != (4 if kind == "man" else 1):
        die(f'no form is called "{kind}"' if kind not in forms else __doc__)
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8")
    sys.stdout.write(forms[kind](Help(sys.stdin), *arguments))


if __name__ == "__main__":
    main()
