"""Names that no page should act upon."""

HOSTILE = {
    "script": "</script><script>window.hacked = 1</script><!--",
    "quotes": "a \"b\" 'c' `d` & <img src=x onerror=window.hacked=2>",
    "long": "very-long-" * 19,
    "right to left": "\u202eهيكل \u05d0\u05d1\u05d2",
}
