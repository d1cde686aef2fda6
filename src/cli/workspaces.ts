/** `npx aldaba workspaces …`. */
import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { createWorkspace, setBranding, setRetention } from '../features/identity/service.ts'
import { logoOf } from '../features/valuations/service.ts'
import { withDeployment } from './command-kit.ts'

export function addWorkspaces(program: Command): void {
  const workspaces = program.command('workspaces').description('manage workspaces')
  addCreate(workspaces)
  addRetention(workspaces)
  addBrand(workspaces)
}

function addCreate(workspaces: Command): void {
  workspaces
    .command('create')
    .description('make a workspace with its live and test environments; prints its slug')
    .requiredOption('--name <name>', 'name of the agency')
    .option('--slug <slug>', 'short name for addresses and commands; made from the name if left out')
    .option('--owner-email <email>', 'e-mail address of its owner')
    .action(options =>
      withDeployment(async ({ database }) => console.log(await createWorkspace(database.owner, options))),
    )
}

function addRetention(workspaces: Command): void {
  workspaces
    .command('retention')
    .description('set for how long leads are kept; those that are older are erased every night')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .requiredOption(
      '--months <number>',
      'months after the last dealing with a person, or "unlimited"',
      months,
    )
    .action(({ workspace, months }) =>
      withDeployment(async ({ database }) => {
        await setRetention(database.owner, { workspace, months: months === 'unlimited' ? null : months })
        console.log(
          `leads of ${workspace} are kept for ${months === 'unlimited' ? 'ever' : `${months} months`}`,
        )
      }),
    )
}

function addBrand(workspaces: Command): void {
  workspaces
    .command('brand')
    .description('set how reports of a workspace look; "" takes away')
    .requiredOption('--workspace <slug>', 'slug of the workspace')
    .option('--color <color>', 'such as #1d4e79', color)
    .option('--logo <file>', 'a PNG, JPEG or SVG, up to 1 MB', logo)
    .option('--phone <phone>', 'as it is to be printed', textUpTo(50))
    .option('--email <email>', 'as it is to be printed', email)
    .option('--website <website>', 'as it is to be printed', textUpTo(200))
    .action(({ workspace, ...branding }) =>
      withDeployment(async ({ database }) => {
        await setBranding(database.owner, workspace, branding)
        console.log(`reports of ${workspace} have another look`)
      }),
    )
}

function months(text: string): number | 'unlimited' {
  if (text === 'unlimited') return text
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= 1200) return number
  throw new InvalidArgumentError('use a whole number from 1 to 1200, or "unlimited".')
}

function color(text: string): string {
  if (text === '' || /^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase()
  throw new InvalidArgumentError('use six hexadecimal digits behind a #, such as "#1d4e79".')
}

function logo(path: string): Buffer | '' {
  if (path === '') return path
  const bytes = readBytes(path)
  if (bytes && logoOf(bytes)) return bytes
  throw new InvalidArgumentError(
    bytes
      ? 'use a PNG or JPEG of up to 4000 pixels on a side, or an SVG that embeds nothing; up to 1 MB.'
      : 'there is no such file, or it can not be read.',
  )
}

function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

function email(text: string): string {
  if (text === '' || /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(text)) return text
  throw new InvalidArgumentError('use an address such as office@agency.example.')
}

function textUpTo(lengthMax: number): (text: string) => string {
  return text => {
    if (text.length > lengthMax) throw new InvalidArgumentError(`use up to ${lengthMax} characters.`)
    return text.trim()
  }
}
