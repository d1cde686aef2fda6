/** The command `npx aldaba doctor`. */
import type { Command } from 'commander'

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check the configuration, the database and the server')
    .option('--json', 'print JSON')
    .action(async ({ json }) => {
      const { diagnose } = await import('../doctor.ts')
      const findings = await diagnose()
      if (json) console.log(JSON.stringify(findings, null, 2))
      else for (const finding of findings) console.log(toLine(finding))
      if (findings.some(finding => !finding.ok)) process.exitCode = 1
    })
}

function toLine({ ok, check, detail }: { ok: boolean; check: string; detail: string }): string {
  return `${ok ? 'ok  ' : 'FAIL'}  ${check.padEnd(18)} ${detail}`
}
