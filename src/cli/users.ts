/** The commands `npx aldaba users …`. */
import { type Command, Option } from 'commander'
import type { Role } from '../kit/settings/setting.ts'
import { parseName, printRows, withDeployment } from './command.ts'

const importIdentity = () => import('../features/identity/service.ts')

interface InviteOptions {
  workspace: string
  email: string
  name?: string
  role?: Role
}

export function addUsers(program: Command): void {
  const users = program.command('users').description('manage users')
  addList(users)
  addInvite(users)
  addRevoke(users)
}

function addList(users: Command): void {
  users
    .command('list')
    .description('list the users of a workspace')
    .requiredOption('--workspace <slug>', 'slug of the workspace', parseName)
    .option('--json', 'print JSON')
    .action(
      withDeployment(
        async ({ database }, { workspace, json = false }: { workspace: string; json?: boolean }) => {
          const { listUsers } = await importIdentity()
          printRows(json, await listUsers(database.owner, workspace), row => row)
        },
      ),
    )
}

function addInvite(users: Command): void {
  users
    .command('invite')
    .description('invite a user, or reset a forgotten password; prints a token for setting a password once')
    .requiredOption('--workspace <slug>', 'slug of the workspace', parseName)
    .requiredOption('--email <email>', 'e-mail address of the user', parseName)
    .option('--name <name>', 'name of a new user (default: what comes before the @)', parseName)
    .addOption(
      new Option('--role <role>', 'role of a new user (default: agent)').choices(['owner', 'admin', 'agent']),
    )
    .action(
      withDeployment(async ({ database }, options: InviteOptions) => {
        const { inviteUser } = await importIdentity()
        const { token, expiresAt } = await inviteUser(database.owner, options)
        console.log(token)
        console.error(`the token works once, until ${expiresAt.toISOString()}: POST /dashboard/v1/password`)
      }),
    )
}

function addRevoke(users: Command): void {
  users
    .command('revoke')
    .description('end all sessions of a user, and block sign-in until the next invitation')
    .requiredOption('--workspace <slug>', 'slug of the workspace', parseName)
    .requiredOption('--email <email>', 'e-mail address of the user', parseName)
    .action(
      withDeployment(async ({ database }, options: { workspace: string; email: string }) => {
        const { revokeUser } = await importIdentity()
        const sessions = await revokeUser(database.owner, options)
        console.log(`revoked ${options.email}; sessions ended: ${sessions}`)
      }),
    )
}
