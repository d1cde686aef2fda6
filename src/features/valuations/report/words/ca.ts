/** The texts of reports in Catalan. */
import type { ReportWords } from '../words.ts'

export const ca: ReportWords = {
  title: { sale: 'Valoració orientativa del preu', rent: 'Valoració orientativa del lloguer' },
  disclaimer: 'Valoració orientativa: no constitueix una taxació oficial.',
  section: {
    summary: 'Resum',
    map: 'On són els comparables',
    comparables: 'Immobles comparables',
    adjustments: 'El càlcul, pas a pas',
    distribution: 'Preus per m² a la zona',
    trend: 'Evolució del preu per m²',
    method: 'Com s’ha calculat',
  },
  estimated: {
    asking: { sale: 'Preu d’oferta estimat', rent: 'Lloguer d’oferta estimat' },
    closed: { sale: 'Preu de venda estimat', rent: 'Lloguer estimat' },
  },
  thePrice: {
    asking: { sale: 'el preu d’oferta', rent: 'el lloguer d’oferta' },
    closed: { sale: 'el preu de venda', rent: 'el lloguer signat' },
  },
  price: {
    asking: { sale: 'Preu d’oferta', rent: 'Lloguer d’oferta' },
    closed: { sale: 'Preu de venda', rent: 'Lloguer signat' },
  },
  basis: {
    asking: {
      sale: 'Basada en preus d’oferta d’anuncis, no en preus de venda tancats.',
      rent: 'Basada en lloguers mensuals demanats en anuncis, no en contractes signats.',
    },
    closed: {
      sale: 'Basada en preus de compravendes tancades.',
      rent: 'Basada en lloguers mensuals de contractes signats.',
    },
  },
  oldPrices: (newest, month, median) =>
    `El més recent dels preus utilitzats té ${newest} (${month}) i la meitat, com a mínim ${median}: el mercat pot haver canviat des de llavors.`,
  widerForAge: 'Per això la forquilla és més ampla.',
  range: coverage => `Forquilla probable (${coverage})`,
  pricePerSquareMeter: 'Preu per m²',
  confidence: 'Fiabilitat',
  confidenceLevel: { high: 'Alta', medium: 'Mitjana', low: 'Baixa' },
  valuedOn: 'Data de valoració',
  issuedOn: 'Data d’emissió',
  thisProperty: 'Aquest immoble',
  column: {
    seen: { asking: 'Vist', closed: 'Tancat' },
    distance: 'Distància',
    area: 'Superfície',
    characteristics: 'Característiques',
    adjustedPrice: 'Preu ajustat',
    weight: 'Pes',
    share: 'Preu ajustat × pes',
  },
  factor: {
    time: 'Data',
    place: 'Ubicació',
    size: 'Superfície',
    plot: 'Parcel·la',
    bedrooms: 'Dormitoris',
    bathrooms: 'Banys',
    condition: 'Estat',
    floor: 'Planta',
    lift: 'Ascensor',
    amenities: 'Extres',
    yearBuilt: 'Any',
    subtype: 'Tipologia',
    unexplained: 'Altres causes',
  },
  adjustmentsIntro:
    'A cada preu se li suma o se li resta el que aquell comparable té de menys o de més respecte d’aquest immoble. Sota cada import, en gris, hi ha la dada del comparable. El preu ajustat, multiplicat pel seu pes, és el que aporta a la valoració.',
  unexplainedIntro:
    '«Altres causes» és el que les dades conegudes no expliquen del preu d’un comparable (la llum, el soroll, la pressa per vendre…): només se’n trasllada una part a aquest immoble. A sota consta quin percentatge del preu era.',
  sum: 'Suma',
  rounded: 'Valoració, arrodonida',
  scaleCaption:
    'La barra és la forquilla i la línia, la valoració. Cada cercle és el preu ajustat d’un comparable, amb el seu número.',
  mapCaption:
    'La casa assenyala aquest immoble. Cada cercle és un comparable, amb el seu número de la taula; com més gran, més pesa en la valoració. Nord a dalt, a escala.',
  mapBeyond:
    'Els comparables amb fletxa queden fora del mapa, en aquella direcció i a la distància indicada.',
  count: { asking: 'Nombre d’anuncis', closed: 'Nombre d’operacions' },
  distributionCaption: {
    asking: 'Quants anuncis de la zona demanen cada preu per m².',
    closed: 'Quantes operacions de la zona es van tancar a cada preu per m².',
  },
  beyondAxis: count => `Fora de l’escala: ${count}.`,
  trendCaption: {
    asking: 'Cada punt és un anunci; la línia uneix les medianes de cada mes.',
    closed: 'Cada punt és una operació; la línia uneix les medianes de cada mes.',
  },
  tooFewMonths:
    'Les dades de la zona són de menys de tres mesos diferents: no n’hi ha prou per mostrar una evolució.',
  noPrices: 'No hi ha preus de la zona per mostrar.',

  method: {
    how: 'Es busquen immobles semblants i propers. El preu de cadascun s’ajusta segons el que el distingeix d’aquest immoble: data, ubicació, superfície i altres característiques. La valoració és la mitjana d’aquests preus ajustats, en què pesen més els immobles més semblants.',
    counts: (used, considered) =>
      `S’han considerat ${considered} immobles, dels quals ${used} entren en el càlcul.`,
    chosen: 'Els comparables utilitzats els va triar qui va encarregar la valoració.',
    leftOut: 'En queden fora',
    exclusion: {
      excluded_by_request: 'Descartats a mà per qui va encarregar la valoració',
      not_chosen: 'No triats per qui va encarregar la valoració',
      less_similar: 'Menys semblants que els utilitzats',
      same_property: 'És aquest mateix immoble',
      implausible_price: 'Amb un preu poc versemblant',
    },
    range: (coverage, price, low, high) =>
      `La forquilla vol dir que, en un ${coverage} dels casos com aquest, ${price} se situa entre ${low} i ${high}. És més ampla quan hi ha pocs comparables o s’assemblen menys.`,
    currency: 'Moneda',
    deviation: 'Desviació típica prevista',
    adjustments: 'Ajustos',
    calibrated: date => `calibrats amb aquest mercat (${date})`,
    uncalibrated: 'habituals, encara sense calibrar amb aquest mercat',
  },
}
