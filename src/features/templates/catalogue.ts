/** The variables that every template may use, with their labels, examples and values. */
import type { Words } from '../../documents/words.ts'
import type { Lead } from '../leads/schemas.ts'
import { appointmentVariables } from './appointment-variables.ts'
import { type CatalogueVariable, define, type ValueSources } from './catalogue-variable.ts'
import { toFirstName } from './first-name.ts'

type Property = Lead['property']
const ofProperty =
  <R>(read: (property: Property, words: Words) => R) =>
  ({ lead, words }: ValueSources) =>
    lead ? read(lead.property, words) : null

const toMoney = (amount: number | null, { currency }: Property) =>
  amount === null || currency === null ? null : { amount, currency }

export const catalogue: readonly CatalogueVariable[] = [
  define('contact.name', 'text', ['The name of the person', 'Marta Soler'], ({ lead }) => lead?.contact.name),
  define('contact.firstName', 'text', ['The first name of a private person', 'Marta'], ({ lead }) =>
    lead?.contact.advertiserType === 'agency' ? null : toFirstName(lead?.contact.name ?? null),
  ),
  define(
    'contact.phone',
    'text',
    ['The phone number of the person', '+34612345678'],
    ({ lead }) => lead?.contact.phone,
  ),
  define(
    'contact.email',
    'text',
    ['The e-mail address of the person', 'marta@example.com'],
    ({ lead }) => lead?.contact.email,
  ),
  define(
    'property.title',
    'text',
    ['The title of the listing', 'Piso en carrer de Mallorca'],
    ofProperty(({ title }) => title),
  ),
  define(
    'property.operation',
    'text',
    ['Sale or rent, as a word', 'Venta'],
    ofProperty(({ operation }, words) => operation && words.operation[operation]),
  ),
  define(
    'property.type',
    'text',
    ['The type of property, as a word', 'Vivienda'],
    ofProperty(({ propertyType }, words) => propertyType && words.propertyType[propertyType]),
  ),
  define(
    'property.price',
    'money',
    ['The price', { amount: 374_000, currency: 'EUR' }],
    ofProperty(property => toMoney(property.price, property)),
  ),
  define(
    'property.pricePerSquareMeter',
    'money',
    ['The price per square metre', { amount: 4349, currency: 'EUR' }],
    ofProperty(property => toMoney(toPricePerSquareMeter(property), property)),
  ),
  define(
    'property.squareMeters',
    'number',
    ['The floor area in m²', 86],
    ofProperty(({ squareMeters }) => squareMeters),
  ),
  define(
    'property.rooms',
    'number',
    ['The number of rooms', 3],
    ofProperty(({ rooms }) => rooms),
  ),
  define(
    'property.bedrooms',
    'number',
    ['The number of bedrooms', 3],
    ofProperty(({ bedrooms }) => bedrooms),
  ),
  define(
    'property.bathrooms',
    'number',
    ['The number of bathrooms', 2],
    ofProperty(({ bathrooms }) => bathrooms),
  ),
  define(
    'property.floor',
    'text',
    ['The floor, as stated', 'Planta 3ª'],
    ofProperty(({ floorText }) => floorText),
  ),
  define(
    'property.condition',
    'text',
    ['The condition, as a word', 'Buen estado'],
    ofProperty(({ condition }, words) => condition && words.condition[condition]),
  ),
  define(
    'property.features',
    'list',
    ['The features', ['ascensor', 'balcón']],
    ofProperty(({ features }, words) => features.map(feature => words.amenity[feature])),
  ),
  define(
    'property.address',
    'text',
    ['The street and number', 'Carrer de Mallorca, 214'],
    ofProperty(({ address }) => address),
  ),
  define(
    'property.municipality',
    'text',
    ['The town', 'Barcelona'],
    ofProperty(({ municipality }) => municipality),
  ),
  define(
    'property.province',
    'text',
    ['The province', 'Barcelona'],
    ofProperty(({ province }) => province),
  ),
  define(
    'property.postcode',
    'text',
    ['The postcode', '08008'],
    ofProperty(({ postcode }) => postcode),
  ),
  define(
    'property.url',
    'text',
    ['The URL of the listing', 'https://portal.example/inmueble/90210/'],
    ofProperty(({ url }) => url),
  ),
  define(
    'property.publishedAt',
    'date',
    ['When the listing was published', Temporal.Instant.from('2026-10-28T09:00:00Z')],
    ofProperty(({ publishedAt }) => (publishedAt === null ? null : Temporal.Instant.from(publishedAt))),
  ),
  define('agent.name', 'text', ['The name of the agent', 'Jordi Puig'], ({ agent }) => agent?.name),
  define(
    'agent.phone',
    'text',
    ['The phone number of the agency: agents have none of their own', '+34 931 000 000'],
    ({ agent, workspace }) => agent && workspace.phone,
  ),
  define(
    'agent.email',
    'text',
    ['The e-mail address of the agent', 'jordi@agency.example'],
    ({ agent }) => agent?.email,
  ),
  define(
    'workspace.name',
    'text',
    ['The name of the agency', 'Finques Puig'],
    ({ workspace }) => workspace.name,
  ),
  define(
    'workspace.phone',
    'text',
    ['The phone number of the agency', '+34 931 000 000'],
    ({ workspace }) => workspace.phone,
  ),
  define(
    'workspace.email',
    'text',
    ['The e-mail address of the agency', 'hello@agency.example'],
    ({ workspace }) => workspace.email,
  ),
  define(
    'workspace.website',
    'text',
    ['The website of the agency', 'agency.example'],
    ({ workspace }) => workspace.website,
  ),
  ...appointmentVariables,
]

export const catalogueByName: ReadonlyMap<string, CatalogueVariable> = new Map(
  catalogue.map(variable => [variable.name, variable]),
)

/** The names that a template's own variables may not have. */
export const reservedNames: ReadonlySet<string> = new Set([
  ...catalogue.map(({ name }) => name.split('.')[0]!),
  'forloop',
  'empty',
  'blank',
  'nil',
  'null',
  'true',
  'false',
  'and',
  'or',
  'not',
  'contains',
  'in',
])

function toPricePerSquareMeter({ price, squareMeters }: Property): number | null {
  return price === null || !squareMeters ? null : Math.round(price / squareMeters)
}
