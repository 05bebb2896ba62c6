"""Other people's code against the truth: correctly rounded references, verification, pytest suites."""
