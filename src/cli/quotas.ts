/** `npx aldaba quotas …`. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { getTenantId, setQuota } from '../features/identity/service.ts'
import { quotaNames } from '../kit/quota.ts'
import { environmentOption, withDeployment } from './command-kit.ts'

export function addQuotas(program: Command): void {
  program
    .command('quotas')
    .description('manage monthly quotas')
    .command('set')
    .description('set what an environment of a workspace may use in a month')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .addOption(environmentOption())
    .addOption(new Option('--name <quota>', 'which').choices([...quotaNames]).makeOptionMandatory())
    .requiredOption('--limit <number>', 'a whole number, or "unlimited"', limit)
    .action(({ workspace, environment, name, limit }) =>
      withDeployment(async ({ database }) => {
        await setQuota(database.owner, {
          tenantId: await getTenantId(database.owner, workspace, environment),
          name,
          limit: limit === 'unlimited' ? null : limit,
        })
        console.log(`${name} of ${workspace} (${environment}): ${limit}`)
      }),
    )
}

function limit(text: string): number | 'unlimited' {
  if (text === 'unlimited') return text
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('use a whole number, or "unlimited".')
}
