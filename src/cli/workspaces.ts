/** The commands `npx aldaba workspaces …`. */
import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import type { NewWorkspace } from '../features/identity/service.ts'
import { operator, parseName, printRows, withDeployment } from './command.ts'

const importIdentity = () => import('../features/identity/service.ts')

interface RetentionOptions {
  workspace: string
  months: number | 'unlimited'
}

/** Omitted options keep their value; '' removes it. */
interface BrandOptions {
  workspace: string
  color?: string
  logo?: Buffer | ''
  phone?: string
  email?: string
  website?: string
}

export function addWorkspaces(program: Command): void {
  const workspaces = program.command('workspaces').description('manage workspaces')
  addCreate(workspaces)
  addList(workspaces)
  addRetention(workspaces)
  addBrand(workspaces)
}

function addCreate(workspaces: Command): void {
  workspaces
    .command('create')
    .description('create a workspace with its live and test environments, and print its slug')
    .requiredOption('--name <name>', 'name of the agency', parseName)
    .option('--slug <slug>', 'short name for URLs and commands (default: derived from the name)', parseName)
    .option('--owner-email <email>', 'e-mail address of its owner', parseEmail)
    .action(
      withDeployment(async ({ database }, options: NewWorkspace) => {
        const { createWorkspace } = await importIdentity()
        console.log(await createWorkspace(database.owner, options))
      }),
    )
}

function addList(workspaces: Command): void {
  workspaces
    .command('list')
    .description('list workspaces')
    .option('--json', 'print JSON')
    .action(
      withDeployment(async ({ database }, { json = false }: { json?: boolean }) => {
        const { listWorkspaces } = await importIdentity()
        printRows(json, await listWorkspaces(database.owner), ({ id: _id, retentionMonths, ...row }) => ({
          ...row,
          retention: retentionMonths === null ? 'unlimited' : `${retentionMonths} months`,
        }))
      }),
    )
}

function addRetention(workspaces: Command): void {
  workspaces
    .command('retention')
    .description('set how long leads are kept; older ones are erased every night')
    .requiredOption('--workspace <slug>', 'slug of the workspace', parseName)
    .requiredOption(
      '--months <number>',
      'months after the last contact with the person, or "unlimited"',
      parseMonths,
    )
    .action(
      withDeployment(async ({ database }, { workspace, months }: RetentionOptions) => {
        const [{ getTenantIdBySlug }, { retention }, { writeSetting }] = await Promise.all([
          importIdentity(),
          import('../features/privacy/settings.ts'),
          import('../kit/settings/setting-store.ts'),
        ])
        const tenantId = await getTenantIdBySlug(database.owner, workspace, 'live')
        const value = { months: months === 'unlimited' ? null : months }
        await database.withTenant({ tenantId }, tx => writeSetting(tx, retention, value, operator))
        console.log(
          `leads of ${workspace} are kept for ${months === 'unlimited' ? 'ever' : `${months} months`}`,
        )
      }),
    )
}

function addBrand(workspaces: Command): void {
  workspaces
    .command('brand')
    .description('set the branding of reports of a workspace; "" removes a value')
    .requiredOption('--workspace <slug>', 'slug of the workspace', parseName)
    .option('--color <color>', 'such as #1d4e79', parseColor)
    .option('--logo <file>', 'PNG, JPEG or SVG file of up to 1 MB', readImage)
    .option('--phone <phone>', 'phone number, printed as given', parseTextUpTo(50))
    .option('--email <email>', 'e-mail address, printed as given', parseOptionalEmail)
    .option('--website <website>', 'website, printed as given', parseTextUpTo(200))
    .action(
      withDeployment(async ({ database }, { workspace, logo: image, ...texts }: BrandOptions) => {
        const [{ AdministrationError, getTenantIdBySlug }, { branding, logo, toLogo }, settings] =
          await Promise.all([
            importIdentity(),
            import('../features/identity/settings.ts'),
            import('../kit/settings/setting-store.ts'),
          ])
        const changed = Object.entries(texts).map(([name, text]) => [name, text || null])
        if (changed.length === 0 && image === undefined)
          throw new AdministrationError('Nothing to set: add --color, --logo, --phone, --email or --website.')
        const newLogo = image ? toLogo(image) : null
        if (image && !newLogo)
          throw new Error(
            "option '--logo <file>': use a PNG or JPEG of up to 4000 pixels on a side, or an SVG that embeds nothing; up to 1 MB.",
          )
        const tenantId = await getTenantIdBySlug(database.owner, workspace, 'live')
        await database.withTenant({ tenantId }, async tx => {
          const change = (current: object) => ({ ...current, ...Object.fromEntries(changed) })
          await settings.changeSetting(tx, branding, change, operator)
          if (image !== undefined) await settings.writeSetting(tx, logo, newLogo, operator)
        })
        console.log(`the branding of ${workspace} was changed`)
      }),
    )
}

function parseMonths(text: string): number | 'unlimited' {
  if (text === 'unlimited') return text
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= 1200) return number
  throw new InvalidArgumentError('use a whole number from 1 to 1200, or "unlimited".')
}

function parseColor(text: string): string {
  if (text === '' || /^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase()
  throw new InvalidArgumentError('use # and six hexadecimal digits, such as "#1d4e79".')
}

function readImage(path: string): Buffer | '' {
  if (path === '') return path
  try {
    return readFileSync(path)
  } catch {
    throw new InvalidArgumentError('the file does not exist or cannot be read.')
  }
}

function parseOptionalEmail(text: string): string {
  return text === '' ? text : parseEmail(text)
}

function parseEmail(text: string): string {
  if (/^[^\s@]{1,64}@[^\s@]{1,190}$/.test(text)) return text
  throw new InvalidArgumentError('use an address such as office@agency.example.')
}

function parseTextUpTo(lengthMax: number): (text: string) => string {
  return text => {
    if (text.length > lengthMax) throw new InvalidArgumentError(`use up to ${lengthMax} characters.`)
    return text.trim()
  }
}
