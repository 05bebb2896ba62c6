"""Is a worked example right, and if not, where did it go wrong?"""

from exactattn.audits.folder import table
from exactattn.audits.record import as_data, schema, to_json
from exactattn.audits.report import report
from exactattn.audits.result import FAIL_ON, Audit, FailOn, audit
from exactattn.audits.verdicts import VERDICTS, Verdict

__all__ = [
    "FAIL_ON",
    "VERDICTS",
    "Audit",
    "FailOn",
    "Verdict",
    "as_data",
    "audit",
    "report",
    "schema",
    "table",
    "to_json",
]
