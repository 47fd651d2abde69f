"""The figures of published reports, kept by KPI."""
