/** `npx aldaba users …`. */
import type { Command } from 'commander'
import { listUsers } from '../features/identity/service.ts'
import { print, withDeployment } from './command-kit.ts'

export function addUsers(program: Command): void {
  program
    .command('users')
    .description('manage users')
    .command('list')
    .description('list the people of a workspace')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .option('--json', 'as JSON')
    .action(options =>
      withDeployment(async ({ database }) =>
        print(options.json, await listUsers(database.owner, options.workspace), row => row),
      ),
    )
}
