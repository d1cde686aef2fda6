// Spanish texts of an advert: its title and its description, varied as different people would write them.
import type { Figures, PropertyType } from './advert.ts'
import { hasFeature } from './advert.ts'
import type { Random } from './random.ts'
import { pick } from './random.ts'
import { capital, thousands } from './spanish.ts'

export interface Place {
  street: string
  neighbourhood: string
}

const OPENINGS: Record<PropertyType, readonly string[]> = {
  homes: [
    '{verb} {noun} en {street}, en pleno barrio de {barrio}.',
    'Oportunidad en {barrio}: {noun} {adjective} muy cerca de todos los servicios.',
    '¿Buscas {noun} en {city}? Este, en {street}, reúne luz, tranquilidad y buena comunicación.',
    'Magnífico {noun} situado en una de las mejores zonas de {barrio}.',
    '{noun} {adjective} en {street}. Ideal para entrar a vivir o como inversión.',
  ],
  offices: [
    '{verb} oficina en {street}, {barrio}, lista para trabajar desde el primer día.',
    'Oficina diáfana y luminosa en {barrio}, con fácil acceso en transporte público.',
    'Despacho profesional en {street}, en un edificio representativo de {city}.',
  ],
  premises: [
    '{verb} local comercial en {street}, a pie de calle y con gran escaparate.',
    'Local en {barrio}, zona de mucho paso, apto para todo tipo de actividad.',
    'Local comercial con salida de humos en el corazón de {barrio}.',
  ],
  garages: [
    '{verb} plaza de garaje en {street}, de fácil acceso y maniobra.',
    'Plaza de aparcamiento en {barrio}, en finca con puerta automática y vigilancia.',
    'Plaza para coche mediano en {street}. Entrada cómoda, sin columnas.',
  ],
}

const SETTINGS = [
  'A pocos minutos a pie encontrarás supermercados, colegios, farmacia y paradas de metro y autobús.',
  'Zona consolidada, con comercio de proximidad, mercado municipal y zonas verdes.',
  'Calle tranquila y a la vez muy bien comunicada con el centro de {city}.',
  'Muy cerca de {barrio} todo está a mano: parques, restaurantes, centros de salud y transporte.',
  'El barrio de {barrio} es uno de los más buscados de {city} por su ambiente y sus servicios.',
]

const CONDITION_TEXTS = {
  new: [
    'Obra nueva con calidades de primera y garantía decenal.',
    'A estrenar: entrega de llaves inmediata.',
  ],
  good: [
    'Se encuentra en buen estado, para entrar a vivir.',
    'Ventanas de doble acristalamiento y suelos de parqué; muy cuidado.',
    'Reformado hace unos años, con cocina equipada y baño actual.',
  ],
  to_renovate: [
    'Necesita reforma: perfecto para hacerlo a tu gusto.',
    'A reformar, con muchas posibilidades de distribución.',
  ],
} as const

const FEATURE_TEXTS = [
  ['terrace', 'una terraza con sol de tarde'],
  ['balcony', 'balcón a la calle'],
  ['parking', 'plaza de garaje incluida en el precio'],
  ['pool', 'piscina comunitaria'],
  ['garden', 'jardín'],
  ['airConditioning', 'aire acondicionado'],
  ['storage', 'trastero'],
  ['wardrobes', 'armarios empotrados'],
  ['doorman', 'servicio de portería'],
  ['lift', 'ascensor'],
] as const

const PRIVATE_CLOSINGS = {
  sale: [
    'Vendo sin intermediarios; se agradece seriedad.',
    'Trato directo con el propietario, sin comisiones.',
  ],
  rent: ['Alquilo directamente; mínimo un año.', 'Se pide fianza y contrato de trabajo.'],
  any: ['Llámame y concertamos una visita, mejor por las tardes.', 'Más información por teléfono.'],
}
const ABSTAIN_CLOSINGS = [
  'Abstenerse agencias.',
  'No se atienden llamadas de inmobiliarias, gracias.',
  'Solo particulares. Agencias abstenerse.',
]
const AGENCY_CLOSINGS = {
  sale: [
    'Te ayudamos con la financiación: consúltanos. Ref. {reference}.',
    'Impuestos, notaría y registro no incluidos en el precio. Ref. {reference}.',
  ],
  rent: [
    'Fianza legal y garantía adicional. Ref. {reference}.',
    'Disponible de inmediato. Ref. {reference}.',
  ],
  any: [
    'No dudes en contactar con nosotros para concertar una visita sin compromiso.',
    'Visítalo con cita previa. Disponemos de más inmuebles en {barrio}.',
  ],
}

/** "Ático en Calle de Verdi, Vila de Gràcia, Barcelona". */
export function titleOf(figures: Figures, place: Place): string {
  return `${capital(nounOf(figures))} en ${place.street}, ${place.neighbourhood}, ${figures.city.name}`
}

/** Two or three paragraphs, separated by empty lines. */
export function descriptionOf(
  figures: Figures,
  place: Place,
  agenciesAbstain: boolean,
  random: Random,
): string {
  const words: Record<string, string> = {
    verb: figures.operation === 'sale' ? 'Se vende' : 'Se alquila',
    noun: nounOf(figures),
    adjective: pick(random, ['luminoso', 'amplio', 'acogedor', 'bien distribuido', 'con encanto']),
    street: place.street,
    barrio: place.neighbourhood,
    city: figures.city.name,
    reference: `${figures.city.landlinePrefix}-${Math.floor(random() * 90_000) + 10_000}`,
  }
  const first = [pick(random, OPENINGS[figures.propertyType]), layoutOf(figures), featuresOf(figures)]
  const second = [pick(random, SETTINGS)]
  if (figures.condition) second.unshift(pick(random, CONDITION_TEXTS[figures.condition]))
  const closings = figures.privateAdvertiser ? PRIVATE_CLOSINGS : AGENCY_CLOSINGS
  const third = [pick(random, [...closings[figures.operation], ...closings.any])]
  if (agenciesAbstain) third.push(pick(random, ABSTAIN_CLOSINGS))
  return [first, second, third]
    .map(sentences => capital(fill(sentences.filter(Boolean).join(' '), words)))
    .join('\n\n')
}

function nounOf(figures: Figures): string {
  if (figures.subtype === 'office') return 'oficina'
  if (figures.subtype === 'shop') return 'local comercial'
  if (figures.subtype === 'garage') return 'plaza de garaje'
  if (figures.subtype === 'studio') return 'estudio'
  if (figures.subtype === 'duplex') return 'dúplex'
  return hasFeature(figures, 'topFloor') ? 'ático' : 'piso'
}

function layoutOf({ squareMeters, bedrooms, bathrooms, yearBuilt }: Figures): string {
  const parts = [`${thousands(squareMeters)} metros cuadrados construidos`]
  if (bedrooms) parts.push(bedrooms === 1 ? 'un dormitorio' : `${bedrooms} dormitorios`)
  if (bathrooms) parts.push(bathrooms === 1 ? 'un baño completo' : `${bathrooms} baños`)
  const built = yearBuilt === null ? '' : ` Finca de ${yearBuilt}.`
  return `Cuenta con ${enumeration(parts)}.${built}`
}

function featuresOf(figures: Figures): string {
  const parts: string[] = []
  for (const [feature, text] of FEATURE_TEXTS) if (hasFeature(figures, feature)) parts.push(text)
  return parts.length > 0 ? `Dispone de ${enumeration(parts)}.` : ''
}

function enumeration(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} y ${parts.at(-1)}`
}

function fill(text: string, words: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '')
}
