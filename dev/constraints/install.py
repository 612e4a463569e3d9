"""Makes an environment and installs pinned packages and the project into it; says how far it is.

    python dev/constraints/install.py .venv dev/constraints/dev.txt

uv is used where it is on the path, with the same pins and hashes. What an interrupted installation
has downloaded is kept, by pip or by uv, and the next call unpacks it all again.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STEPS = 5  # how often a log hears of progress


def main() -> int:
    """Install; the exit code is that of the installer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("environment", type=Path, help="the folder of the environment")
    parser.add_argument("pins", type=Path, help="a requirements file with hashes")
    parser.add_argument("--wheels", action="store_true", help="build nothing: wheels alone")
    parser.add_argument("--no-project", action="store_true", help="leave the project itself out")
    args = parser.parse_args()
    if sys.version_info < (3, 11):  # noqa: UP036 -- that is what is found out here
        return _fail(
            f"Python 3.11 or later is needed, and this is {sys.version.split()[0]}; "
            "name another: make PYTHON=..."
        )
    begun = args.environment / "interrupted"
    again = begun.exists()
    if again:
        print(f"The last installation into {args.environment} did not end; it is made again.")
    args.environment.mkdir(parents=True, exist_ok=True)
    begun.touch()
    python = args.environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    if again or not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(args.environment)], check=True)
    number = len(re.findall(r"^[\w.-]+==", args.pins.read_text(encoding="utf-8"), re.MULTILINE))
    uv = shutil.which("uv")
    expect = "seconds" if uv else f"about {max(1, round(number / 75))} min with a quick network"
    print(f"Installing {number} pinned packages into {args.environment}: {expect}", flush=True)
    if uv:
        installer = [uv, "pip", "install", "--python", str(python), "--quiet"]
    else:
        installer = [str(python), "-m", "pip", "--disable-pip-version-check", "install"]
        installer += ["--no-compile", "--progress-bar=off"]
    options = [("--reinstall" if uv else "--force-reinstall")] * again
    # All that is needed is pinned. pip would look at the newest release of what somebody names with
    # an extra, such as coverage[toml], and miss its hash.
    options += ["--no-deps"] + ["--only-binary=:all:"] * args.wheels
    code = _shown([*installer, *options, "--require-hashes", "-r", str(args.pins)], number)
    if not code and not args.no_project:
        code = _shown([*installer, "--no-deps", "--no-build-isolation", "-e", str(ROOT)], 0)
    if not code:
        begun.unlink()
    return code


def _shown(command: list[str], number: int) -> int:
    """Run the installer; a count of packages now and then, and all its words if it fails."""
    start, heard, seen, told = time.monotonic(), [], 0, 0
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        for line in process.stdout or ():
            heard.append(line)
            seen += line.startswith(("Collecting ", "Requirement already satisfied: "))
            if number and seen * STEPS // number > told and seen <= number:
                told = seen * STEPS // number
                seconds = time.monotonic() - start
                print(f"  {seen} of {number} found, after {seconds:.0f} s", flush=True)
            if line.startswith("Installing collected packages"):
                print(f"  all found after {time.monotonic() - start:.0f} s; unpacking", flush=True)
    if process.returncode:
        sys.stderr.write("".join(heard[-40:]))
    return process.returncode


def _fail(message: str) -> int:
    print(message, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
