/** Spanish texts of listings, with variations. */
import type { ListingAttributes } from './listing.ts'
import { hasFeature } from './listing.ts'
import { joinWords, type Phrases } from './phrases.ts'
import { capitalize, formatThousands } from './spanish.ts'

export const spanish: Phrases = {
  openings: {
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
  },
  surroundings: [
    'A pocos minutos a pie encontrarás supermercados, colegios, farmacia y paradas de metro y autobús.',
    'Zona consolidada, con comercio de proximidad, mercado municipal y zonas verdes.',
    'Calle tranquila y a la vez muy bien comunicada con el centro de {city}.',
    'Muy cerca de {barrio} todo está a mano: parques, restaurantes, centros de salud y transporte.',
    'El barrio de {barrio} es uno de los más buscados de {city} por su ambiente y sus servicios.',
  ],
  conditions: {
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
  },
  features: [
    ['terrace', 'una terraza con sol de tarde'],
    ['balcony', 'balcón a la calle'],
    ['parking', 'plaza de garaje incluida en el precio'],
    ['pool', 'piscina comunitaria'],
    ['garden', 'jardín'],
    ['air_conditioning', 'aire acondicionado'],
    ['storage_room', 'trastero'],
    ['fitted_wardrobes', 'armarios empotrados'],
    ['concierge', 'servicio de portería'],
    ['lift', 'ascensor'],
  ],
  privateClosings: {
    sale: [
      'Vendo sin intermediarios; se agradece seriedad.',
      'Trato directo con el propietario, sin comisiones.',
    ],
    rent: ['Alquilo directamente; mínimo un año.', 'Se pide fianza y contrato de trabajo.'],
    any: ['Llámame y concertamos una visita, mejor por las tardes.', 'Más información por teléfono.'],
  },
  agencyClosings: {
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
  },
  noAgencyClosings: [
    'Abstenerse agencias.',
    'No se atienden llamadas de inmobiliarias, gracias.',
    'Solo particulares. Agencias abstenerse.',
  ],
  adjectives: ['luminoso', 'amplio', 'acogedor', 'bien distribuido', 'con encanto'],
  verbs: { sale: 'Se vende', rent: 'Se alquila' },
  noun: toNoun,
  title: (attributes, { street, neighbourhood }) =>
    `${capitalize(toNoun(attributes))} en ${street}, ${neighbourhood}, ${attributes.city.name}`,
  layout({ squareMeters, bedrooms, bathrooms, yearBuilt }) {
    const parts = [`${formatThousands(squareMeters)} metros cuadrados construidos`]
    if (bedrooms) parts.push(bedrooms === 1 ? 'un dormitorio' : `${bedrooms} dormitorios`)
    if (bathrooms) parts.push(bathrooms === 1 ? 'un baño completo' : `${bathrooms} baños`)
    const built = yearBuilt === null ? '' : ` Finca de ${yearBuilt}.`
    return `Cuenta con ${joinWords(parts, 'y')}.${built}`
  },
  equipment: parts => `Dispone de ${joinWords(parts, 'y')}.`,
}

function toNoun(attributes: ListingAttributes): string {
  if (attributes.subtype === 'office') return 'oficina'
  if (attributes.subtype === 'shop') return 'local comercial'
  if (attributes.subtype === 'garage') return 'plaza de garaje'
  if (attributes.subtype === 'studio') return 'estudio'
  if (attributes.subtype === 'duplex') return 'dúplex'
  return hasFeature(attributes, 'top_floor') ? 'ático' : 'piso'
}
