/** Chooses the template of a message: the one of the step, or one of those that are compared. */
import { chooseVariant } from '../../../domain/sequence/choose-variant.ts'
import type { CampaignSettings } from '../campaigns/settings-schemas.ts'

export interface ChosenTemplate {
  templateId: string
  /** Its letter if several are compared; null: the step has one. */
  variant: string | null
}

export function chooseTemplate(
  { templateId, variants }: CampaignSettings['steps'][number],
  recipient: { seed: number; recipientId: string; step: number },
): ChosenTemplate {
  if (variants.length === 0) return { templateId, variant: null }
  const index = chooseVariant(recipient, variants.length + 1)
  const chosen = [{ templateId }, ...variants][index]!
  return { templateId: chosen.templateId, variant: String.fromCharCode(65 + index) }
}
