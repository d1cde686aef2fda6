/** The module of each definition. Functions cannot be sent to a thread, so a thread loads the module again. */
import type { PortalDefinition } from './portal.ts'
import type { PortalKit } from './portal-kit.ts'

/** The default export of an operator's definition file. */
export type PortalModule = (kit: PortalKit) => PortalDefinition

/** The URL of a module that exports `builtInPortals`, or a PortalModule as its default. */
export interface ModuleReference {
  module: string
  id: string
}

const modules = new WeakMap<PortalDefinition, string>()

/** Records the URL of a definition's module. */
export function registerModule(definition: PortalDefinition, module: string): void {
  modules.set(definition, module)
}

/** The module from which a thread can load the definition; null if it was not loaded from one, as in tests. */
export function findModule(definition: PortalDefinition): ModuleReference | null {
  const module = modules.get(definition)
  return module === undefined ? null : { module, id: definition.id }
}

/** Loads a definition from its module. Throws if the module has none with this id. */
export async function loadDefinition(
  { module, id }: ModuleReference,
  kit: PortalKit,
): Promise<PortalDefinition> {
  const { builtInPortals, default: make } = (await import(module)) as {
    builtInPortals?: PortalDefinition[]
    default?: PortalModule
  }
  const definition = builtInPortals ? builtInPortals.find(portal => portal.id === id) : await make?.(kit)
  if (!definition) throw new Error(`${module} has no portal ${id}.`)
  return definition
}
