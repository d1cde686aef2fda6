/** The command line: `npx aldaba …`. Every command works beside a running server. */
import { Command } from 'commander'
import { withDeployment } from './cli/command-kit.ts'
import { addKeys } from './cli/keys.ts'
import { addMarket } from './cli/market.ts'
import { addQuotas } from './cli/quotas.ts'
import { addUsers } from './cli/users.ts'
import { addWorkspaces } from './cli/workspaces.ts'
import { diagnose } from './doctor.ts'
import { serve } from './main.ts'

const program = new Command('aldaba')
  .description(
    'Real-estate lead generation, self-hosted. Configuration comes from the environment: see the README.',
  )
  .showHelpAfterError()

program
  .command('serve')
  .description('serve the API and run jobs, until SIGTERM')
  .action(() => serve())

program
  .command('migrate')
  .description('bring the database up to date')
  .action(() =>
    withDeployment(async ({ migrated }) => {
      console.log(migrated.length > 0 ? `applied ${migrated.join(', ')}` : 'nothing to apply')
    }),
  )

program
  .command('doctor')
  .description('what is configured, and what is missing or wrong')
  .action(async () => {
    const findings = await diagnose()
    for (const { ok, what, detail } of findings)
      console.log(`${ok ? 'ok  ' : 'FAIL'}  ${what.padEnd(18)} ${detail}`)
    if (findings.some(finding => !finding.ok)) process.exitCode = 1
  })

addWorkspaces(program)
addKeys(program)
addUsers(program)
addQuotas(program)
addMarket(program)

program
  .command('simulator')
  .description('serve the simulated portals alone')
  .option('--data <file>', 'CSV file of real adverts, plain or gzipped, in place of made-up ones')
  .option('--port <port>', 'port of the control address; the portals take those that follow', Number)
  .option('--seed <seed>', 'the same adverts for the same seed', Number)
  .action(async options => (await import('./simulator/serve.ts')).serveSimulator(options))

await program.parseAsync().catch(error => {
  console.error((error as Error).message)
  process.exitCode = 1
})
