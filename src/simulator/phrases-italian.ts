/** Italian texts of listings. Homes are named by their number of rooms, including the living room. */
import type { ListingAttributes } from './listing.ts'
import { hasFeature } from './listing.ts'
import { joinWords, type Phrases } from './phrases.ts'
import { capitalize, formatThousands } from './spanish.ts'

const namesByRooms = ['appartamento', 'monolocale', 'bilocale', 'trilocale', 'quadrilocale']

export const italian: Phrases = {
  openings: {
    homes: [
      '{verb} {noun} in {street}, nel cuore di {barrio}.',
      'Occasione in zona {barrio}: {noun} {adjective} a due passi da tutti i servizi.',
      'Cerchi un {noun} a {city}? Questo, in {street}, unisce luce, tranquillità e ottimi collegamenti.',
      'Splendido {noun} in una delle zone migliori di {barrio}.',
      '{noun} {adjective} in {street}. Ideale come abitazione o come investimento.',
    ],
    offices: [
      '{verb} ufficio in {street}, {barrio}, pronto per lavorare dal primo giorno.',
      'Ufficio open space e luminoso in zona {barrio}, comodo ai mezzi pubblici.',
      'Studio professionale in {street}, in stabile di rappresentanza di {city}.',
    ],
    premises: [
      '{verb} locale commerciale in {street}, fronte strada e con ampia vetrina.',
      'Negozio in zona {barrio}, di grande passaggio, adatto a ogni attività.',
      'Locale commerciale con canna fumaria nel cuore di {barrio}.',
    ],
    garages: [
      '{verb} box auto in {street}, di facile accesso e manovra.',
      'Posto auto in zona {barrio}, in stabile con cancello automatico.',
      'Box per auto media in {street}. Ingresso comodo, nessuna colonna.',
    ],
  },
  surroundings: [
    'A pochi minuti a piedi si trovano supermercati, scuole, farmacia e fermate di metro e autobus.',
    'Zona servita, con negozi di quartiere, mercato rionale e aree verdi.',
    'Via tranquilla e allo stesso tempo ben collegata al centro di {city}.',
    'Vicino a {barrio} tutto è a portata di mano: parchi, ristoranti, ambulatori e trasporti.',
    'La zona {barrio} è tra le più richieste di {city} per la vita di quartiere e i servizi.',
  ],
  conditions: {
    new: ['Nuova costruzione con finiture di pregio.', 'Mai abitato: consegna immediata delle chiavi.'],
    good: [
      'Si presenta in buono stato, abitabile da subito.',
      'Doppi vetri e pavimenti in parquet; molto curato.',
      'Rinnovato da pochi anni, con cucina arredata.',
    ],
    to_renovate: [
      'Da ristrutturare: perfetto per chi vuole personalizzarlo.',
      'Necessita di lavori, con ottime possibilità di divisione degli spazi.',
    ],
  },
  features: [
    ['terrace', 'un terrazzo soleggiato'],
    ['balcony', 'balcone sulla strada'],
    ['parking', 'posto auto incluso nel prezzo'],
    ['pool', 'piscina condominiale'],
    ['garden', 'giardino'],
    ['air_conditioning', 'aria condizionata'],
    ['storage_room', 'cantina'],
    ['fitted_wardrobes', 'armadi a muro'],
    ['concierge', 'servizio di portineria'],
    ['lift', 'ascensore'],
  ],
  privateClosings: {
    sale: [
      'Vendo senza intermediari; si richiede serietà.',
      'Trattativa diretta con il proprietario, senza provvigioni.',
    ],
    rent: ['Affitto direttamente; minimo un anno.', 'Si chiedono cauzione e busta paga.'],
    any: ['Chiamatemi per una visita, meglio nel pomeriggio.', 'Altre informazioni per telefono.'],
  },
  agencyClosings: {
    sale: [
      'Consulenza mutui gratuita: contattateci. Rif. {reference}.',
      'Imposte e notaio esclusi dal prezzo. Rif. {reference}.',
    ],
    rent: ['Contratto 4+4, tre mensilità di cauzione. Rif. {reference}.', 'Libero subito. Rif. {reference}.'],
    any: [
      'Non esitate a contattarci per fissare una visita senza impegno.',
      'Visite su appuntamento. Disponiamo di altri immobili in zona {barrio}.',
    ],
  },
  noAgencyClosings: [
    'Astenersi agenzie.',
    'No agenzie, grazie.',
    'Solo privati. Agenzie e perditempo astenersi.',
  ],
  adjectives: ['luminoso', 'ampio', 'accogliente', 'ben distribuito', 'ricco di fascino'],
  verbs: { sale: 'Vendesi', rent: 'Affittasi' },
  noun: toNoun,
  title: (attributes, { street, neighbourhood }) =>
    `${capitalize(toNoun(attributes))} in ${attributes.operation === 'sale' ? 'vendita' : 'affitto'} in ${street}, ${neighbourhood}, ${attributes.city.name}`,
  layout({ squareMeters, bedrooms, bathrooms, yearBuilt }) {
    const parts = [`${formatThousands(squareMeters)} mq commerciali`]
    if (bedrooms) parts.push(bedrooms === 1 ? 'una camera da letto' : `${bedrooms} camere da letto`)
    if (bathrooms) parts.push(bathrooms === 1 ? 'un bagno' : `${bathrooms} bagni`)
    const built = yearBuilt === null ? '' : ` Stabile del ${yearBuilt}.`
    return `Si compone di ${joinWords(parts, 'e')}.${built}`
  },
  equipment: parts => `Dotazioni: ${joinWords(parts, 'e')}.`,
}

function toNoun(attributes: ListingAttributes): string {
  if (attributes.subtype === 'office') return 'ufficio'
  if (attributes.subtype === 'shop') return 'locale commerciale'
  if (attributes.subtype === 'garage') return 'box auto'
  if (hasFeature(attributes, 'top_floor')) return 'attico'
  const name = namesByRooms[(attributes.bedrooms ?? 0) + 1] ?? namesByRooms[0]!
  return attributes.subtype === 'duplex' ? `${name} su due livelli` : name
}
