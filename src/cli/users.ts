/** `npx aldaba users …`. */
import type { Command } from 'commander'
import { name, onDeployment, print } from './command-kit.ts'

export function addUsers(program: Command): void {
  program
    .command('users')
    .description('manage users')
    .command('list')
    .description('list the people of a workspace')
    .requiredOption('--workspace <slug>', 'slug of the workspace', name)
    .option('--json', 'as JSON')
    .action(
      onDeployment(
        async ({ database }, { workspace, json = false }: { workspace: string; json?: boolean }) => {
          const { listUsers } = await import('../features/identity/service.ts')
          print(json, await listUsers(database.owner, workspace), row => row)
        },
      ),
    )
}
