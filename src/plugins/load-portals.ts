/** Portal definitions of the operator's own, from the files of a folder. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { problemsOfPortal } from './check-portal.ts'
import type { PortalDefinition } from './portal.ts'
import * as kit from './portal-kit.ts'

/** The default export of such a file. */
export type PortalModule = (portalKit: typeof kit) => PortalDefinition

const moduleName = /(?<!\.test|\.d)\.(?:ts|js|mjs)$/

/**
 * Loads every `.ts`, `.js` and `.mjs` file of the folder: its default export is a function that is given `portal-kit.ts`
 * and returns a definition. Throws one error that names all that is wrong with them, by file.
 */
export async function loadPortals(folder: string | null): Promise<PortalDefinition[]> {
  if (folder === null) return []
  const files = (await readdir(folder)).filter(file => moduleName.test(file)).sort()
  const loaded: PortalDefinition[] = []
  const problems: string[] = []
  for (const file of files) {
    const definition = await load(join(folder, file)).catch((error: Error) => error)
    const wrong = definition instanceof Error ? [definition.message] : problemsOfPortal(definition)
    problems.push(...wrong.map(sentence => `  ${file}: ${sentence}`))
    if (!(definition instanceof Error)) loaded.push(definition)
  }
  if (problems.length > 0)
    throw new Error(`Some portal definitions in ${folder} can't be used:\n${problems.join('\n')}`)
  return loaded
}

async function load(path: string): Promise<PortalDefinition> {
  const module = (await import(pathToFileURL(path).href)) as { default?: unknown }
  if (typeof module.default !== 'function')
    throw new Error('its default export must be a function that returns a portal definition')
  return (module.default as PortalModule)(kit)
}
