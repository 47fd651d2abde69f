"""The templates of the stacks."""

from infra.stack.template import ROOT, Template

MAIN = Template()


STACKS = {
    name: Template(ROOT / f"infra/{name}/template.yaml")
    for name in ("backup", "cdn", "downloads", "firewall", "inbound", "monitoring", "user_pool")
}
