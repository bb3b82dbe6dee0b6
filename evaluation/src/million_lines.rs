use crate::report::Report;
pub(crate) fn run(_: &mut Report) -> anyhow::Result<()> {
    Ok(())
}
