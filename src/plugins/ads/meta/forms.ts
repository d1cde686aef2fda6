/** The forms of a page, with their questions and their consent text. */
import type { NamedLeadField } from '../../../domain/table/lead-fields.ts'
import {
  type AdBox,
  type AdConsentText,
  type AdContext,
  AdError,
  type AdForm,
  type AdQuestion,
} from '../../ads.ts'
import { asList, asObject, asText, lookUp, truncate } from '../../graph-kit/json.ts'
import { type CredentialValues, listGraph } from './graph.ts'

const basicFields = 'id,name,status,locale,questions'
const allFields = `${basicFields},legal_content{custom_disclaimer{title,body,checkboxes}}`
const formsMax = 500
const pageSize = 50
const questionsMax = 100
const boxesMax = 50
const textMax = 5000
const labelMax = 500

export async function listForms(credentials: CredentialValues, context: AdContext): Promise<AdForm[]> {
  try {
    return await listAll(credentials, allFields, context)
  } catch (error) {
    // A version of Graph may lack the field, and then refuses the whole request.
    if (!(error instanceof AdError) || error.code !== 'REJECTED') throw error
    return listAll(credentials, basicFields, context)
  }
}

async function listAll(credentials: CredentialValues, fields: string, context: AdContext): Promise<AdForm[]> {
  const forms: AdForm[] = []
  let after: string | null = null
  do {
    const query = { fields, limit: String(pageSize), ...(after && { after }) }
    const path = `${credentials.pageId}/leadgen_forms`
    const page = await listGraph(credentials, { path, query }, context)
    forms.push(...page.items.flatMap(item => toForm(item) ?? []))
    after = page.after
  } while (after !== null && forms.length < formsMax)
  return forms.slice(0, formsMax)
}

function toForm(form: Record<string, unknown>): AdForm | null {
  const id = asText(form.id)
  if (id === null || !/^\d{1,30}$/.test(id)) return null
  return {
    id,
    name: truncate(asText(form.name) ?? id, labelMax),
    isActive: asText(form.status) === 'ACTIVE',
    locale: truncate(asText(form.locale) ?? '', 20) || null,
    questions: asList(form.questions)
      .slice(0, questionsMax)
      .flatMap(item => toQuestion(asObject(item)) ?? []),
    consent: toConsent(asObject(asObject(form.legal_content)?.custom_disclaimer)),
  }
}

/** The questions of Meta, whose answers have any name that the advertiser gave them. */
const fields: Record<string, NamedLeadField> = {
  FULL_NAME: 'contact.name',
  FIRST_NAME: 'contact.firstName',
  LAST_NAME: 'contact.lastName',
  EMAIL: 'contact.email',
  WORK_EMAIL: 'contact.email',
  PHONE: 'contact.phone',
  WORK_PHONE_NUMBER: 'contact.phone',
  WHATSAPP_NUMBER: 'contact.phone',
  STREET_ADDRESS: 'property.address',
  CITY: 'property.municipality',
  STATE: 'property.province',
  PROVINCE: 'property.province',
  ZIP: 'property.postcode',
  POST_CODE: 'property.postcode',
}

function toQuestion(question: Record<string, unknown> | null): AdQuestion | null {
  const key = asText(question?.key)
  if (!question || key === null) return null
  return {
    key: truncate(key, labelMax),
    label: truncate(asText(question.label) ?? key, labelMax),
    field: lookUp(fields, asText(question.type)) ?? null,
  }
}

/** Graph writes lists with or without `data`, and texts with or without their links. */
function toConsent(disclaimer: Record<string, unknown> | null): AdConsentText | null {
  if (!disclaimer) return null
  const { checkboxes } = disclaimer
  const items = Array.isArray(checkboxes) ? checkboxes : asList(asObject(checkboxes)?.data)
  const text = asText(disclaimer.body) ?? asText(asObject(disclaimer.body)?.text)
  return {
    title: cut(asText(disclaimer.title)),
    text: cut(text),
    boxes: items.slice(0, boxesMax).flatMap(item => toBox(asObject(item)) ?? []),
  }
}

const cut = (text: string | null) => (text === null ? null : truncate(text, textMax))

function toBox(box: Record<string, unknown> | null): AdBox | null {
  const [key, text] = [asText(box?.key), asText(box?.text)]
  if (!box || key === null || text === null) return null
  return {
    key: truncate(key, 200),
    text: truncate(text, textMax),
    isRequired: box.is_required !== false,
    isTickedBefore: box.is_checked_by_default === true,
  }
}
