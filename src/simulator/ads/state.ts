/** The page of the simulated ad network: its forms, and the leads that people submit. */
import { createRandom } from '../../domain/random.ts'

export interface SimulatedForm {
  id: string
  name: string
  status: 'ACTIVE' | 'ARCHIVED'
  locale: string
  questions: { key: string; label: string; type: string }[]
  /** Null: the form has no consent text. */
  disclaimer: {
    title: string
    text: string
    boxes: { key: string; text: string; isRequired: boolean; isTickedBefore: boolean }[]
  } | null
}

export interface SimulatedLead {
  id: string
  formId: string
  /** In milliseconds. */
  submittedAt: number
  answers: Record<string, string>
  boxes: Record<string, boolean>
}

export interface NewLead {
  formId?: string
  answers?: Record<string, string>
  boxes?: Record<string, boolean>
}

export interface AdsState {
  pageId: string
  forms: SimulatedForm[]
  leads: SimulatedLead[]
  /** Adds a lead as somebody submits it; undefined: no active form has this id. What is left out is made up. */
  submit(lead: NewLead): SimulatedLead | undefined
}

const leadsMax = 100_000
const names = ['Marta Soler', 'João Pinto', 'Giulia Conti', 'Ana García', 'Pau Vidal', 'Inês Matos']

export function createState({ seed, now }: { seed: number; now: () => number }): AdsState {
  const pageId = '138124712925158'
  const leads: SimulatedLead[] = []
  let count = 0
  return {
    pageId,
    forms: createForms(),
    leads,
    submit({ formId, answers, boxes }) {
      const form = this.forms.find(
        ({ id, status }) => status === 'ACTIVE' && id === (formId ?? this.forms[0]!.id),
      )
      if (!form) return undefined
      count += 1
      const random = createRandom(seed, count)
      const name = names[Math.floor(random() * names.length)]!
      const made = {
        full_name: name,
        phone_number: `+34612${String(100_000 + Math.floor(random() * 899_999))}`,
        email: `${name
          .split(' ')[0]!
          .toLowerCase()
          .normalize('NFD')
          .replace(/[^a-z]/g, '')}${count}@example.com`,
      }
      const ticked = Object.fromEntries((form.disclaimer?.boxes ?? []).map(({ key }) => [key, true]))
      const lead = {
        // As many digits as real ones.
        id: String(233_370_000_000_000 + seed * 1_000_000 + count),
        formId: form.id,
        submittedAt: now(),
        answers: answers ?? made,
        boxes: boxes ?? ticked,
      }
      leads.push(lead)
      if (leads.length > leadsMax) leads.shift()
      return lead
    },
  }
}

function createForms(): SimulatedForm[] {
  const person = [
    { key: 'full_name', label: 'Nombre completo', type: 'FULL_NAME' },
    { key: 'phone_number', label: 'Número de teléfono', type: 'PHONE' },
    { key: 'email', label: 'Correo electrónico', type: 'EMAIL' },
  ]
  return [
    {
      id: '172036835026334',
      name: 'Valora tu piso',
      status: 'ACTIVE',
      locale: 'es_ES',
      questions: [
        ...person,
        { key: 'post_code', label: 'Código postal', type: 'POST_CODE' },
        { key: '¿cuándo_quieres_vender?', label: '¿Cuándo quieres vender?', type: 'CUSTOM' },
      ],
      disclaimer: {
        title: 'Protección de datos',
        text: 'Agencia Simulada trata tus datos para responder a tu solicitud.',
        boxes: [
          {
            key: 'contacto',
            text: 'Acepto que Agencia Simulada me contacte por WhatsApp, teléfono y correo sobre la venta de mi piso.',
            isRequired: true,
            isTickedBefore: false,
          },
          {
            key: 'novedades',
            text: 'Quiero recibir novedades por correo.',
            isRequired: false,
            isTickedBefore: false,
          },
        ],
      },
    },
    {
      id: '172036835026335',
      name: 'Peça uma visita',
      status: 'ACTIVE',
      locale: 'pt_PT',
      questions: person,
      disclaimer: null,
    },
  ]
}
