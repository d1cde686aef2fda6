/** Formats a listing as a property of Kyero v3: the elements of the format, and those that Spanish feeds add. */
import { toLocalDateTime } from '../../domain/feed/local-time.ts'
import { formatSpanishPhone } from '../advertisers.ts'
import { escapeHtml } from '../html.ts'
import type { Feature, SimulatedListing } from '../listing.ts'

const types: Record<SimulatedListing['subtype'], string> = {
  flat: 'Apartment',
  duplex: 'Duplex',
  studio: 'Studio',
  office: 'Office',
  shop: 'Commercial',
  garage: 'Garage',
}

const featureWords: Record<Feature, string> = {
  lift: 'Ascensor',
  terrace: 'Terraza',
  balcony: 'Balcón',
  parking: 'Garaje',
  pool: 'Piscina comunitaria',
  garden: 'Jardín',
  air_conditioning: 'Aire acondicionado',
  storage_room: 'Trastero',
  fitted_wardrobes: 'Armarios empotrados',
  concierge: 'Portero',
  exterior: 'Exterior',
  interior: 'Interior',
  top_floor: 'Última planta',
}

/** The path prefix of a listing's page in each language of the feed. */
const pathPrefixes = { es: '', de: '/de', en: '/en', fr: '/fr' }

export function toListingId(id: string): string {
  return `E${id}`
}

/** The `<property>` element. `origin` is the portal's base URL, without a slash at the end. */
export function renderProperty(listing: SimulatedListing, origin: string): string {
  const id = toListingId(listing.id)
  const { latitude, longitude, energy } = listing
  return `    <property>
        <id>${id}</id>
        <date>${toLocalDateTime(listing.updatedAt.getTime(), 'Europe/Madrid')}</date>
        <ref>${listing.citySlug.slice(0, 3).toUpperCase()}-${listing.id.slice(-6)}</ref>
        <price>${listing.price}</price>
        <currency>EUR</currency>
        <price_freq>${listing.operation === 'sale' ? 'sale' : 'month'}</price_freq>
        <part_ownership>0</part_ownership>
        <leasehold>0</leasehold>
        <new_build>${Number(listing.condition === 'new')}</new_build>
        <type>${listing.features.includes('top_floor') ? 'Penthouse' : types[listing.subtype]}</type>
        <town>${listing.city}</town>
        <province>${listing.province}</province>
        <country>spain</country>
        <location>
            <latitude>${latitude}</latitude>
            <longitude>${longitude}</longitude>
        </location>
        <location_detail>${escapeHtml(listing.neighbourhood)}</location_detail>
        <address>${escapeHtml(listing.address)}</address>
${renderCounts(listing)}        <surface_area>
            <built>${listing.squareMeters}</built>
        </surface_area>
${energy === null ? '' : renderEnergyRating(energy)}        <url>
${renderPerLanguage(language => `${origin}${pathPrefixes[language]}/propiedad/${id}.htm`)}        </url>
        <title>
            <es><![CDATA[${listing.title}]]></es>
        </title>
        <desc>
${renderDescriptions(listing)}        </desc>
${renderFeatures(listing)}        <images>
${renderImages(listing, origin)}        </images>
${renderContact(listing)}    </property>
`
}

function renderCounts({ floor, bedrooms, bathrooms, features }: SimulatedListing): string {
  const parts = [
    floor === null ? '' : `<floor>${floor}</floor>`,
    bedrooms === null ? '' : `<beds>${bedrooms}</beds>`,
    bathrooms === null ? '' : `<baths>${bathrooms}</baths>`,
    `<pool>${Number(features.includes('pool'))}</pool>`,
  ]
  return parts.map(part => (part === '' ? '' : `        ${part}\n`)).join('')
}

function renderEnergyRating(energy: NonNullable<SimulatedListing['energy']>): string {
  const ratingLetter = energy.length === 1 ? energy : 'X'
  return `        <energy_rating>
            <consumption>${ratingLetter}</consumption>
            <emissions>X</emissions>
        </energy_rating>
`
}

function renderPerLanguage(text: (language: keyof typeof pathPrefixes) => string): string {
  const languages = Object.keys(pathPrefixes) as (keyof typeof pathPrefixes)[]
  return languages.map(language => `            <${language}>${text(language)}</${language}>\n`).join('')
}

/** The advertiser's text; for other languages, a text generated from the facts. */
function renderDescriptions({
  description,
  squareMeters,
  neighbourhood,
  city,
  bedrooms,
}: SimulatedListing): string {
  const where = escapeHtml(`${neighbourhood}, ${city}`)
  const rooms = bedrooms ?? 0
  return `            <es><![CDATA[${description.replaceAll('\n', '<br/>\n')}]]></es>
            <de>Immobilie in ${where}: ${squareMeters} m² Wohnfläche, ${rooms} Schlafzimmer. Fragen Sie uns unverbindlich.</de>
            <en>Property in ${where}: ${squareMeters} m² built, ${rooms} bedrooms. Contact us &amp; arrange a viewing.</en>
            <fr>Bien immobilier à ${where} : ${squareMeters} m² construits, ${rooms} chambres. Contactez-nous sans engagement.</fr>
`
}

/** The format has no element for the condition: it is a feature. */
function renderFeatures({ condition, features }: SimulatedListing): string {
  const labels: string[] = features.map(feature => featureWords[feature])
  if (condition === 'good') labels.push('Buen estado')
  if (condition === 'to_renovate') labels.push('A reformar')
  if (labels.length === 0) return ''
  const lines = labels.map(label => `            <feature>${label}</feature>\n`)
  return `        <features>\n${lines.join('')}        </features>\n`
}

function renderImages({ id, photoCount }: SimulatedListing, origin: string): string {
  return Array.from(
    { length: photoCount },
    (_, photo) => `            <image id="${photo + 1}">
                <url>${origin}/media/${toListingId(id)}/${photo + 1}.png</url>
            </image>
`,
  ).join('')
}

/** An agency as `<agent>`, in every property, as feeds of several agencies do; a private person by name and number. */
function renderContact({ advertiser, citySlug, province }: SimulatedListing): string {
  const name = escapeHtml(advertiser.name)
  const phone = formatSpanishPhone(advertiser.phone)
  if (advertiser.type === 'private')
    return `        <by_owner>1</by_owner>
        <contact_name>${name}</contact_name>
        <contact_number>${phone}</contact_number>
`
  return `        <agent>
            <name>${name}</name>
            <tel>${phone}</tel>
            <town>${citySlug}</town>
            <region>${province}</region>
            <country>spain</country>
        </agent>
`
}
