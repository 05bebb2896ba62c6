"""Rules for Moodle XML, as Moodle's importer reads it."""
