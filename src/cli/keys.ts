/** The commands `npx aldaba keys …`. */
import { type Command, InvalidArgumentError } from 'commander'
import type { Environment } from '../kit/key.ts'
import type { Scope } from '../kit/scope.ts'
import { environmentOption, parseName, printRows, withDeployment } from './command.ts'

const importIdentity = () => import('../features/identity/service.ts')

interface CreateOptions {
  workspace: string
  environment: Environment
  name: string
  scopes?: string[]
  expiresIn?: Date
}

interface ListOptions {
  workspace?: string
  json?: boolean
}

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('manage API keys')
  addCreate(keys)
  addList(keys)
  addRevoke(keys)
}

function addCreate(keys: Command): void {
  keys
    .command('create')
    .description('create an API key, and print it; it cannot be shown again')
    .requiredOption('--workspace <slug>', 'slug of the workspace', parseName)
    .addOption(environmentOption())
    .requiredOption('--name <name>', 'purpose of the key', parseName)
    .option(
      '--scopes <scopes>',
      'comma-separated, such as leads:read,extractions:write (default: full access)',
      parseList,
    )
    .option('--expires-in <duration>', 'such as 90d, 12h or 30m (default: never)', parseExpiry)
    .action(
      withDeployment(async ({ database }, { expiresIn, scopes = [], ...options }: CreateOptions) => {
        const { createKey } = await importIdentity()
        const key = { ...options, scopes: await checkScopes(scopes), expiresAt: expiresIn ?? null }
        console.log(await createKey(database.owner, key))
      }),
    )
}

function addList(keys: Command): void {
  keys
    .command('list')
    .description('list keys, without their values')
    .option('--workspace <slug>', 'only keys of this workspace', parseName)
    .option('--json', 'print JSON')
    .action(
      withDeployment(async ({ database }, { workspace, json = false }: ListOptions) => {
        const { listKeys } = await importIdentity()
        const rows = await listKeys(database.owner, workspace)
        printRows(
          json,
          rows,
          ({ id, workspace, environment, name, scopes, revokedAt, expiresAt, lastUsedAt, last4 }) => ({
            id,
            workspace,
            environment,
            name,
            key: `…${last4}`,
            scopes: scopes.join(',') || 'all',
            state: revokedAt
              ? 'revoked'
              : expiresAt && Date.parse(expiresAt) <= Date.now()
                ? 'expired'
                : 'valid',
            lastUsedAt: lastUsedAt ?? 'never',
          }),
        )
      }),
    )
}

function addRevoke(keys: Command): void {
  keys
    .command('revoke')
    .description('revoke a key; the next request with it is refused')
    .argument('<id>', 'id of the key', parseName)
    .action(
      withDeployment(async ({ database }, id: string) => {
        const { revokeKey } = await importIdentity()
        await revokeKey(database.owner, id)
        console.log(`revoked ${id}`)
      }),
    )
}

/** Throws AdministrationError for an unknown scope. */
async function checkScopes(names: string[]): Promise<Scope[]> {
  if (names.length === 0) return []
  const [{ describeFeatures }, { collectScopes }, { AdministrationError }] = await Promise.all([
    import('../app.ts'),
    import('../kit/feature.ts'),
    importIdentity(),
  ])
  const all = collectScopes(describeFeatures())
  const unknown = names.filter(name => !all.includes(name as Scope))
  if (unknown.length > 0)
    throw new AdministrationError(`There is no scope ${unknown.join(', ')}. Scopes: ${all.join(', ')}.`)
  return names as Scope[]
}

function parseList(text: string): string[] {
  const items = text
    .split(',')
    .map(item => item.trim())
    .filter(Boolean)
  if (items.length === 0)
    throw new InvalidArgumentError('name at least one scope. Omit the option for full access.')
  return items
}

function parseExpiry(text: string): Date {
  const match = /^([1-9]\d{0,4})([dhm])$/.exec(text)
  if (!match)
    throw new InvalidArgumentError('use a number of days, hours or minutes, such as 90d, 12h or 30m.')
  const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000 }[match[2] as 'd' | 'h' | 'm']
  return new Date(Date.now() + Number(match[1]) * unitMs)
}
