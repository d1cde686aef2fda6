/** The commands of `npx aldaba`. */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { withDeployment } from './command.ts'
import { addDoctor } from './doctor.ts'
import { addEncryption } from './encryption.ts'
import { addKeys } from './keys.ts'
import { addMarket } from './market.ts'
import { addQuotas } from './quotas.ts'
import { addSettings } from './settings.ts'
import { addUsers } from './users.ts'
import { addWorkspaces } from './workspaces.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** Every command of the program. */
export function createProgram(): Command {
  const program = new Command('aldaba')
    .description(
      'Real-estate lead generation, self-hosted. Configuration comes from the environment: see docs/reference/configuration.md.',
    )
    .version(version)
    .option('--init', 'make the database and its secrets if there are none yet, and bring it up to date')
    .showHelpAfterError()

  program
    .command('serve')
    .description('serve the API and run jobs, until SIGTERM')
    .action(async () => (await import('../main.ts')).serve())

  program
    .command('migrate')
    .description('bring the database up to date')
    .action(
      withDeployment(
        async ({ migrated }) =>
          console.log(migrated.length > 0 ? `applied ${migrated.join(', ')}` : 'nothing to apply'),
        { migrates: true },
      ),
    )

  addDoctor(program)
  addWorkspaces(program)
  addKeys(program)
  addEncryption(program)
  addUsers(program)
  addQuotas(program)
  addSettings(program)
  addMarket(program)

  program
    .command('simulator')
    .description('serve the simulated portals alone')
    .option('--data <file>', 'CSV file of real adverts, plain or gzipped, in place of made-up ones')
    .option('--port <port>', 'port of the control address; the portals take those that follow', Number)
    .option('--seed <seed>', 'the same adverts for the same seed', Number)
    .action(async options => (await import('../simulator/serve.ts')).serveSimulator(options))
  return program
}
