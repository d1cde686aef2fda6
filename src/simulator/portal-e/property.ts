// One advert as a property of Kyero v3: the standard's elements, and those that Spanish feeds have beside them.
import { localDateTime } from '../../domain/feed/local-time.ts'
import type { Advert, Feature } from '../advert.ts'
import { spanishPhone } from '../advertisers.ts'
import { escapeHtml } from '../html.ts'

const TYPES: Record<Advert['subtype'], string> = {
  flat: 'Apartment',
  duplex: 'Duplex',
  studio: 'Studio',
  office: 'Office',
  shop: 'Commercial',
  garage: 'Garage',
}

const FEATURE_WORDS: Record<Feature, string> = {
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

/** Page of an advert in each language; the Spanish one is the first. */
const LANGUAGES = { es: '', de: '/de', en: '/en', fr: '/fr' }

export function listingIdOf(id: string): string {
  return `E${id}`
}

/** `origin` is the portal's own address, without a slash at the end. */
export function propertyXml(advert: Advert, origin: string): string {
  const id = listingIdOf(advert.id)
  const { latitude, longitude, energy } = advert
  return `    <property>
        <id>${id}</id>
        <date>${localDateTime(advert.updatedAt.getTime(), 'Europe/Madrid')}</date>
        <ref>${advert.citySlug.slice(0, 3).toUpperCase()}-${advert.id.slice(-6)}</ref>
        <price>${advert.price}</price>
        <currency>EUR</currency>
        <price_freq>${advert.operation === 'sale' ? 'sale' : 'month'}</price_freq>
        <part_ownership>0</part_ownership>
        <leasehold>0</leasehold>
        <new_build>${Number(advert.condition === 'new')}</new_build>
        <type>${advert.features.includes('top_floor') ? 'Penthouse' : TYPES[advert.subtype]}</type>
        <town>${advert.city}</town>
        <province>${advert.province}</province>
        <country>spain</country>
        <location>
            <latitude>${latitude}</latitude>
            <longitude>${longitude}</longitude>
        </location>
        <location_detail>${escapeHtml(advert.neighbourhood)}</location_detail>
        <address>${escapeHtml(advert.address)}</address>
${lines(advert)}        <surface_area>
            <built>${advert.squareMeters}</built>
        </surface_area>
${energy === null ? '' : energyRating(energy)}        <url>
${perLanguage(language => `${origin}${LANGUAGES[language]}/propiedad/${id}.htm`)}        </url>
        <title>
            <es><![CDATA[${advert.title}]]></es>
        </title>
        <desc>
${descriptions(advert)}        </desc>
${features(advert)}        <images>
${images(advert, origin)}        </images>
${contact(advert)}    </property>
`
}

function lines({ floor, bedrooms, bathrooms, features }: Advert): string {
  const parts = [
    floor === null ? '' : `<floor>${floor}</floor>`,
    bedrooms === null ? '' : `<beds>${bedrooms}</beds>`,
    bathrooms === null ? '' : `<baths>${bathrooms}</baths>`,
    `<pool>${Number(features.includes('pool'))}</pool>`,
  ]
  return parts.map(part => (part === '' ? '' : `        ${part}\n`)).join('')
}

function energyRating(energy: NonNullable<Advert['energy']>): string {
  const mark = energy.length === 1 ? energy : 'X'
  return `        <energy_rating>
            <consumption>${mark}</consumption>
            <emissions>X</emissions>
        </energy_rating>
`
}

function perLanguage(text: (language: keyof typeof LANGUAGES) => string): string {
  const languages = Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]
  return languages.map(language => `            <${language}>${text(language)}</${language}>\n`).join('')
}

/** The advertiser's own text, and what the portal makes of the figures for the other languages. */
function descriptions({ description, squareMeters, neighbourhood, city, bedrooms }: Advert): string {
  const where = escapeHtml(`${neighbourhood}, ${city}`)
  const rooms = bedrooms ?? 0
  return `            <es><![CDATA[${description.replaceAll('\n', '<br/>\n')}]]></es>
            <de>Immobilie in ${where}: ${squareMeters} m² Wohnfläche, ${rooms} Schlafzimmer. Fragen Sie uns unverbindlich.</de>
            <en>Property in ${where}: ${squareMeters} m² built, ${rooms} bedrooms. Contact us &amp; arrange a viewing.</en>
            <fr>Bien immobilier à ${where} : ${squareMeters} m² construits, ${rooms} chambres. Contactez-nous sans engagement.</fr>
`
}

/** The standard has no element for the state of repair: it is a feature like any other. */
function features({ condition, features }: Advert): string {
  const labels: string[] = features.map(feature => FEATURE_WORDS[feature])
  if (condition === 'good') labels.push('Buen estado')
  if (condition === 'to_renovate') labels.push('A reformar')
  if (labels.length === 0) return ''
  const lines = labels.map(label => `            <feature>${label}</feature>\n`)
  return `        <features>\n${lines.join('')}        </features>\n`
}

function images({ id, photoCount }: Advert, origin: string): string {
  return Array.from(
    { length: photoCount },
    (_, photo) => `            <image id="${photo + 1}">
                <url>${origin}/media/${listingIdOf(id)}/${photo + 1}.png</url>
            </image>
`,
  ).join('')
}

/** An agency in the standard's own element, which feeds of many agencies give to each property; a private person by name and number. */
function contact({ advertiser, citySlug, province }: Advert): string {
  const name = escapeHtml(advertiser.name)
  const phone = spanishPhone(advertiser.phone)
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
