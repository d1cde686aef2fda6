/** Which changes of a sequence would move steps past recipients, who would get a step twice, or never. Pure. */
import type { CampaignSettings } from './settings-schemas.ts'

type Step = Pick<CampaignSettings['steps'][number], 'templateId' | 'variants'>

/**
 * `positions`: how many steps recipients have behind them, from those who may get more. Returns the first position that a step would
 * pass, by its templates; null: every recipient goes on as before, with the texts and delays as they are now.
 */
export function findPassedPosition(
  before: readonly Step[],
  after: readonly Step[],
  positions: readonly number[],
): number | null {
  const isPassed = (position: number) =>
    hasMoved(before.slice(0, position), { from: before.slice(position), to: after.slice(position) }) ||
    hasMoved(before.slice(position), { from: before.slice(0, position), to: after.slice(0, position) })
  return positions.toSorted((one, other) => one - other).find(isPassed) ?? null
}

/** Returns whether a template of these steps is in `to`, and was not in `from`, which it replaces. */
function hasMoved(
  steps: readonly Step[],
  { from, to }: { from: readonly Step[]; to: readonly Step[] },
): boolean {
  const known = new Set(from.flatMap(listTemplates))
  const own = new Set(steps.flatMap(listTemplates))
  return to.flatMap(listTemplates).some(id => own.has(id) && !known.has(id))
}

const listTemplates = ({ templateId, variants }: Step): string[] => [
  templateId,
  ...variants.map(variant => variant.templateId),
]
