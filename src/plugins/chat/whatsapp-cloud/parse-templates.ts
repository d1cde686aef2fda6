/** Changes of templates: their approval, category and quality. */
import type { InboundEvent } from '../../chat.ts'
import { asObject, asText, lookUp, truncate } from '../../graph-kit/json.ts'
import type { Change, Emit } from './change.ts'
import { toApproval, toBcp47, toCategory } from './templates.ts'

const reasonMax = 500

export function parseTemplateField(change: Change, emit: Emit): void {
  const { field, value, groupId: externalId, at } = change
  const providerName = asText(value.message_template_name)
  if (!providerName) {
    emit({ type: 'unreadable', externalId, at, reason: `${field} names no template.` })
    return
  }
  const language = asText(value.message_template_language)
  const reason = readers[field]!(value)
  emit({
    type: 'template_status',
    externalId,
    at,
    providerTemplateId: asText(value.message_template_id),
    providerName: truncate(providerName, 512),
    language: language && toBcp47(truncate(language, 35)),
    status: toApproval(value.event),
    category: toCategory(value.new_category) ?? toCategory(value.message_template_category),
    reason: reason && truncate(reason, reasonMax),
  } satisfies InboundEvent)
}

const readers: Record<string, (value: Record<string, unknown>) => string | null> = {
  message_template_status_update(value) {
    const info = asObject(value.rejection_info)
    const words = [asText(info?.reason), asText(info?.recommendation)].filter(text => text !== null)
    if (words.length > 0) return words.join(' ')
    const other = asObject(value.other_info)
    const title = asText(other?.description) ?? asText(other?.title)
    if (title) return title
    const disabled = asText(asObject(value.disable_info)?.disable_date)
    const code = asText(value.reason)
    if (code && code !== 'NONE') return `WhatsApp names the reason ${code}.`
    return disabled ? 'WhatsApp has disabled the template.' : null
  },
  message_template_quality_update(value) {
    const score = asText(value.new_quality_score)
    const words = lookUp(qualities, score)
    return words ? `WhatsApp rates the quality of the template as ${words}.` : null
  },
  template_category_update(value) {
    const announced = asText(value.correct_category)
    return announced
      ? `WhatsApp considers the template as ${announced.toLowerCase()} and will change its category.`
      : null
  },
}

const qualities: Record<string, string> = { GREEN: 'high', YELLOW: 'medium', RED: 'low' }
