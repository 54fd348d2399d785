"""Flags that come last on every compiler command. `wheel` is release without what names the folders it was built in."""

PROFILES = {
    "release": "",
    "wheel": "-g0",
    "asan": "-O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer",
    "tsan": "-O1 -fsanitize=thread -fno-omit-frame-pointer",
}
SANITIZED = ("asan", "tsan")
