/** The command line program `npx aldaba`. */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { withDeployment } from './command.ts'
import { addDoctor } from './doctor.ts'
import { addEncryption } from './encryption.ts'
import { addKeys } from './keys.ts'
import { addMarket } from './market.ts'
import { addPortals } from './portals.ts'
import { addQuotas } from './quotas.ts'
import { addSettings } from './settings.ts'
import { addUsers } from './users.ts'
import { addWorkspaces } from './workspaces.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** Creates the program with all its commands. */
export function createProgram(): Command {
  const program = new Command('aldaba')
    .description(
      'Real-estate lead generation, self-hosted. Configuration comes from the environment: see docs/reference/configuration.md.',
    )
    .version(version)
    .option('--init', 'create the database and its secrets if there are none, and apply migrations')
    .showHelpAfterError()

  program
    .command('serve')
    .description('serve the API and run jobs until SIGTERM')
    .action(async () => (await import('../main.ts')).serve())

  program
    .command('migrate')
    .description('apply pending migrations to the database')
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
  addPortals(program)

  program
    .command('simulator')
    .description('serve only the simulated portals, WhatsApp, Telegram, mail and calendars')
    .option('--data <file>', 'CSV file of real listings, plain or gzipped, instead of generated ones')
    .option('--port <port>', 'port of the control API; the portals use the following ports', Number)
    .option('--seed <seed>', 'seed of the generated listings and of chat', Number)
    .option(
      '--chat-seed <seed>',
      'seed of messages and their faults; default: --seed, else a random one',
      Number,
    )
    .action(async options => (await import('../simulator/serve.ts')).serveSimulator(options))
  return program
}
