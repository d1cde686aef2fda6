/** The texts of reports in Italian. */
import type { ReportWords } from '../words.ts'

export const it: ReportWords = {
  title: { sale: 'Stima indicativa del prezzo', rent: 'Stima indicativa del canone' },
  disclaimer: 'Valutazione a titolo indicativo: non costituisce una perizia di stima.',
  section: {
    summary: 'In sintesi',
    map: 'Dove si trovano i comparabili',
    comparables: 'Immobili comparabili',
    adjustments: 'Il calcolo, passo per passo',
    distribution: 'Prezzi al m² in zona',
    trend: 'Andamento del prezzo al m²',
    method: 'Come è stata calcolata la stima',
  },
  estimated: {
    asking: { sale: 'Prezzo richiesto stimato', rent: 'Canone richiesto stimato' },
    closed: { sale: 'Prezzo di vendita stimato', rent: 'Canone stimato' },
  },
  thePrice: {
    asking: { sale: 'il prezzo richiesto', rent: 'il canone richiesto' },
    closed: { sale: 'il prezzo di vendita', rent: 'il canone pattuito' },
  },
  price: {
    asking: { sale: 'Prezzo richiesto', rent: 'Canone richiesto' },
    closed: { sale: 'Prezzo di vendita', rent: 'Canone pattuito' },
  },
  basis: {
    asking: {
      sale: 'Basata sui prezzi richiesti negli annunci, non sui prezzi di compravendita.',
      rent: 'Basata sui canoni mensili richiesti negli annunci, non su contratti firmati.',
    },
    closed: {
      sale: 'Basata sui prezzi di compravendite concluse.',
      rent: 'Basata sui canoni mensili di contratti firmati.',
    },
  },
  oldPrices: (newest, month, median) =>
    `Il più recente dei prezzi utilizzati ha ${newest} (${month}) e la metà ne ha almeno ${median}: da allora il mercato può essere cambiato.`,
  widerForAge: 'Per questo l’intervallo è più ampio.',
  range: coverage => `Intervallo probabile (${coverage})`,
  pricePerSquareMeter: 'Prezzo al m²',
  confidence: 'Affidabilità',
  confidenceLevel: { high: 'Alta', medium: 'Media', low: 'Bassa' },
  valuedOn: 'Data della valutazione',
  issuedOn: 'Data di emissione',
  thisProperty: 'Questo immobile',
  column: {
    seen: { asking: 'Rilevato', closed: 'Concluso' },
    distance: 'Distanza',
    area: 'Superficie',
    characteristics: 'Caratteristiche',
    adjustedPrice: 'Prezzo corretto',
    weight: 'Peso',
    share: 'Prezzo corretto × peso',
  },
  factor: {
    time: 'Data',
    place: 'Posizione',
    size: 'Superficie',
    plot: 'Terreno',
    bedrooms: 'Camere',
    bathrooms: 'Bagni',
    condition: 'Stato',
    floor: 'Piano',
    lift: 'Ascensore',
    amenities: 'Dotazioni',
    yearBuilt: 'Anno',
    subtype: 'Tipologia',
    unexplained: 'Altre cause',
  },
  adjustmentsIntro:
    'A ogni prezzo si aggiunge o si toglie ciò che il comparabile ha in meno o in più rispetto a questo immobile. Sotto ogni importo, in grigio, è riportato il dato del comparabile. Il prezzo corretto, moltiplicato per il suo peso, è il suo contributo alla stima.',
  unexplainedIntro:
    '«Altre cause» è ciò che i dati noti non spiegano del prezzo di un comparabile (luce, rumore, fretta di vendere…): a questo immobile ne passa solo una parte. Sotto è indicata la percentuale del prezzo.',
  sum: 'Somma',
  rounded: 'Stima, arrotondata',
  scaleCaption:
    'La barra è l’intervallo, la linea la stima. Ogni cerchio è il prezzo corretto di un comparabile, con il suo numero.',
  mapCaption:
    'La casa indica questo immobile. Ogni cerchio è un comparabile, con il suo numero nella tabella; più è grande, più pesa nella stima. Nord in alto, in scala.',
  mapBeyond:
    'I comparabili con la freccia sono fuori dalla mappa, in quella direzione e alla distanza indicata.',
  count: { asking: 'Numero di annunci', closed: 'Numero di transazioni' },
  distributionCaption: {
    asking: 'Quanti annunci della zona chiedono ciascun prezzo al m².',
    closed: 'Quante transazioni della zona si sono concluse a ciascun prezzo al m².',
  },
  beyondAxis: count => `Fuori scala: ${count}.`,
  trendCaption: {
    asking: 'Ogni punto è un annuncio; la linea unisce le mediane dei mesi.',
    closed: 'Ogni punto è una transazione; la linea unisce le mediane dei mesi.',
  },
  tooFewMonths:
    'I dati della zona riguardano meno di tre mesi diversi: troppo pochi per mostrare un andamento.',
  noPrices: 'Non ci sono prezzi della zona da mostrare.',

  method: {
    how: 'Si cercano immobili simili e vicini. Il prezzo di ciascuno viene corretto per ciò che lo distingue da questo immobile: data, posizione, superficie e altre caratteristiche. La stima è la media di questi prezzi corretti, in cui pesano di più gli immobili più simili.',
    counts: (used, considered) =>
      `Sono stati considerati ${considered} immobili, di cui ${used} ${used === 1 ? 'entra' : 'entrano'} nel calcolo.`,
    chosen: 'I comparabili utilizzati sono stati scelti da chi ha richiesto la valutazione.',
    leftOut: 'Esclusi',
    exclusion: {
      excluded_by_request: 'Scartati da chi ha richiesto la valutazione',
      not_chosen: 'Non scelti da chi ha richiesto la valutazione',
      less_similar: 'Meno simili di quelli utilizzati',
      same_property: 'Annuncio di questo stesso immobile',
      implausible_price: 'Con un prezzo poco verosimile',
    },
    range: (coverage, price, low, high) =>
      `L’intervallo significa che, nella maggior parte dei casi come questo (${coverage}), ${price} è compreso tra ${low} e ${high}. È più ampio quando i comparabili sono pochi o meno simili.`,
    currency: 'Valuta',
    deviation: 'Deviazione standard prevista',
    adjustments: 'Correzioni',
    calibrated: date => `calibrate su questo mercato (${date})`,
    uncalibrated: 'usuali, non ancora calibrate su questo mercato',
  },
}
