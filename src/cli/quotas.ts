/** The commands `npx aldaba quotas …`. */
import { type Command, InvalidArgumentError } from 'commander'
import type { Environment } from '../kit/key.ts'
import type { Quota } from '../kit/quota.ts'
import { environmentOption, parseName, printRows, withDeployment } from './command.ts'

const importIdentity = () => import('../features/identity/service.ts')

/** Every quota that the features define. */
async function loadQuotas(): Promise<Quota[]> {
  const [{ describeFeatures }, { collectQuotas }] = await Promise.all([
    import('../app.ts'),
    import('../kit/feature.ts'),
  ])
  return collectQuotas(describeFeatures())
}

interface WorkspaceOptions {
  workspace: string
  environment: Environment
}

export function addQuotas(program: Command): void {
  const quotas = program.command('quotas').description('manage monthly quotas')
  addSet(quotas)
  addList(quotas)
}

function addSet(quotas: Command): void {
  quotas
    .command('set')
    .description('set a monthly quota of an environment of a workspace')
    .requiredOption('--workspace <slug>', 'slug of the workspace', parseName)
    .addOption(environmentOption())
    .requiredOption('--name <quota>', 'name of the quota, such as maxLeadsPerMonth', parseName)
    .requiredOption('--limit <number>', 'a whole number, or "unlimited"', parseLimit)
    .action(
      withDeployment(
        async (
          { database },
          {
            workspace,
            environment,
            name,
            limit,
          }: WorkspaceOptions & { name: string; limit: number | 'unlimited' },
        ) => {
          const { AdministrationError, getTenantIdBySlug, setQuota } = await importIdentity()
          const names = (await loadQuotas()).map(quota => quota.name)
          if (!names.includes(name))
            throw new AdministrationError(`There is no quota ${name}. Quotas: ${names.join(', ')}.`)
          await setQuota(database.owner, {
            tenantId: await getTenantIdBySlug(database.owner, workspace, environment),
            name,
            limit: limit === 'unlimited' ? null : limit,
          })
          console.log(`${name} of ${workspace} (${environment}): ${limit}`)
        },
      ),
    )
}

function addList(quotas: Command): void {
  quotas
    .command('list')
    .description('list the quotas of an environment of a workspace, with the usage of this month')
    .requiredOption('--workspace <slug>', 'slug of the workspace', parseName)
    .addOption(environmentOption())
    .option('--json', 'print JSON')
    .action(
      withDeployment(
        async (
          { database },
          { workspace, environment, json = false }: WorkspaceOptions & { json?: boolean },
        ) => {
          const { getTenantIdBySlug } = await importIdentity()
          const { readCurrentPeriod, listQuotas } = await import('../kit/quota.ts')
          const [quotas, tenantId] = await Promise.all([
            loadQuotas(),
            getTenantIdBySlug(database.owner, workspace, environment),
          ])
          const rows = await database.withTenant({ tenantId }, async tx =>
            listQuotas(tx, quotas, await readCurrentPeriod(tx)),
          )
          printRows(json, rows, ({ limit, remaining, ...row }) => ({
            ...row,
            limit: limit ?? 'unlimited',
            remaining: remaining ?? 'unlimited',
          }))
        },
      ),
    )
}

function parseLimit(text: string): number | 'unlimited' {
  if (text === 'unlimited') return text
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('use a whole number, or "unlimited".')
}
