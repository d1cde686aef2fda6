/**
 * The ad network of the test environment: the rules of a real one without its network. A program submits forms with
 * `POST /sandbox/ad-leads`.
 */
import { createHash } from 'node:crypto'
import { AdError, type AdForm, type AdLead, type AdNetwork } from '../ads.ts'

export const sandboxFormId = '172036835026334'

/** The only form of its pages. */
export const sandboxForm: AdForm = {
  id: sandboxFormId,
  name: 'Valora tu piso',
  isActive: true,
  locale: 'es_ES',
  questions: [
    { key: 'full_name', label: 'Nombre completo', field: 'contact.name' },
    { key: 'phone_number', label: 'Número de teléfono', field: 'contact.phone' },
    { key: 'email', label: 'Correo electrónico', field: 'contact.email' },
    { key: 'post_code', label: 'Código postal', field: 'property.postcode' },
    { key: 'cuando', label: '¿Cuándo quieres vender?', field: null },
  ],
  consent: {
    title: 'Protección de datos',
    text: 'La agencia trata tus datos para responder a tu solicitud.',
    boxes: [
      {
        key: 'contacto',
        text: 'Acepto que la agencia me contacte por WhatsApp, teléfono y correo.',
        isRequired: true,
        isTickedBefore: false,
      },
      { key: 'novedades', text: 'Quiero recibir novedades.', isRequired: false, isTickedBefore: false },
    ],
  },
}

/** A lead as the sandbox puts it into its webhook. */
export const toSandboxContent = ({ submittedAt, ...lead }: AdLead): string =>
  JSON.stringify({ ...lead, submittedAt: submittedAt.toString() })

/** The same network with all I/O replaced. A credential that contains `expired` is refused, so that a test can have that state. */
export function simulateAdNetwork(network: AdNetwork): AdNetwork {
  const { id, label, baseUrl, credentials, keptDays, webhook } = network
  const assertValid = (given: Record<string, unknown>) => {
    if (Object.values(given).some(value => String(value).includes('expired')))
      throw new AdError(
        'INVALID_CREDENTIALS',
        `${label} rejects the access token: it has expired. Enter a new one.`,
      )
  }
  return {
    id,
    label,
    baseUrl,
    credentials,
    keptDays,
    webhook,
    async connect(given) {
      assertValid(given)
      return { id: toPageId(given), name: 'Sandbox' }
    },
    disconnect: async () => {},
    async listForms(given) {
      assertValid(given)
      return [sandboxForm]
    },
    async readLead(given, { content }) {
      assertValid(given)
      if (content === null)
        throw new AdError('NOT_FOUND', 'The sandbox knows only leads of POST /sandbox/ad-leads.')
      const { submittedAt, ...lead } = JSON.parse(content) as AdLead & { submittedAt: string }
      return { ...lead, submittedAt: Temporal.Instant.from(submittedAt as string) }
    },
    async listLeads(given) {
      assertValid(given)
      return { leads: [], cursor: null }
    },
  }
}

/** As the credentials name it; otherwise the same for the same ones. */
function toPageId({ pageId, ...rest }: Record<string, unknown>): string {
  if (typeof pageId === 'string') return pageId
  return `sandbox-${createHash('sha256').update(JSON.stringify(rest)).digest('hex').slice(0, 16)}`
}
