/** The texts of reports in Spanish. */
import type { ReportWords } from '../words.ts'

export const es: ReportWords = {
  title: { sale: 'Valoración orientativa del precio', rent: 'Valoración orientativa del alquiler' },
  disclaimer: 'Valoración orientativa: no constituye una tasación oficial.',
  section: {
    summary: 'Resumen',
    map: 'Dónde están los comparables',
    comparables: 'Inmuebles comparables',
    adjustments: 'El cálculo, paso a paso',
    distribution: 'Precios por m² en la zona',
    trend: 'Evolución del precio por m²',
    method: 'Cómo se ha calculado',
  },
  estimated: {
    asking: { sale: 'Precio de oferta estimado', rent: 'Alquiler de oferta estimado' },
    closed: { sale: 'Precio de venta estimado', rent: 'Alquiler estimado' },
  },
  thePrice: {
    asking: { sale: 'el precio de oferta', rent: 'el alquiler de oferta' },
    closed: { sale: 'el precio de venta', rent: 'el alquiler firmado' },
  },
  price: {
    asking: { sale: 'Precio de oferta', rent: 'Alquiler de oferta' },
    closed: { sale: 'Precio de venta', rent: 'Alquiler firmado' },
  },
  basis: {
    asking: {
      sale: 'Basada en precios de oferta de anuncios, no en precios de venta cerrados.',
      rent: 'Basada en alquileres mensuales pedidos en anuncios, no en contratos firmados.',
    },
    closed: {
      sale: 'Basada en precios de compraventas cerradas.',
      rent: 'Basada en alquileres mensuales de contratos firmados.',
    },
  },
  oldPrices: (newest, month, median) =>
    `El más reciente de los precios utilizados tiene ${newest} (${month}) y la mitad, al menos ${median}: el mercado puede haber cambiado desde entonces.`,
  widerForAge: 'Por eso la horquilla es más ancha.',
  range: coverage => `Horquilla probable (${coverage})`,
  pricePerSquareMeter: 'Precio por m²',
  confidence: 'Fiabilidad',
  confidenceLevel: { high: 'Alta', medium: 'Media', low: 'Baja' },
  valuedOn: 'Fecha de valoración',
  issuedOn: 'Fecha de emisión',
  thisProperty: 'Este inmueble',
  column: {
    seen: { asking: 'Visto', closed: 'Cerrado' },
    distance: 'Distancia',
    area: 'Superficie',
    characteristics: 'Características',
    adjustedPrice: 'Precio ajustado',
    weight: 'Peso',
    share: 'Precio ajustado × peso',
  },
  factor: {
    time: 'Fecha',
    place: 'Ubicación',
    size: 'Superficie',
    plot: 'Parcela',
    bedrooms: 'Dormitorios',
    bathrooms: 'Baños',
    condition: 'Estado',
    floor: 'Planta',
    lift: 'Ascensor',
    amenities: 'Extras',
    yearBuilt: 'Año',
    subtype: 'Tipología',
    unexplained: 'Otras causas',
  },
  adjustmentsIntro:
    'A cada precio se le suma o se le resta lo que ese comparable tiene de menos o de más que este inmueble. Debajo de cada importe, en gris, el dato del comparable. El precio ajustado, multiplicado por su peso, es lo que aporta a la valoración.',
  unexplainedIntro:
    '«Otras causas» es lo que los datos conocidos no explican del precio de un comparable (la luz, el ruido, la prisa por vender…): solo se traslada una parte a este inmueble. Debajo figura qué porcentaje del precio era.',
  sum: 'Suma',
  rounded: 'Valoración, redondeada',
  scaleCaption:
    'La barra es la horquilla y la línea, la valoración. Cada círculo es el precio ajustado de un comparable, con su número.',
  mapCaption:
    'La casa señala este inmueble. Cada círculo es un comparable, con su número de la tabla; cuanto mayor, más pesa en la valoración. Norte arriba, a escala.',
  mapBeyond: 'Los comparables con flecha quedan fuera del mapa, en esa dirección y a la distancia indicada.',
  count: { asking: 'Número de anuncios', closed: 'Número de operaciones' },
  distributionCaption: {
    asking: 'Cuántos anuncios de la zona piden cada precio por m².',
    closed: 'Cuántas operaciones de la zona se cerraron a cada precio por m².',
  },
  beyondAxis: count => `Fuera de la escala: ${count}.`,
  trendCaption: {
    asking: 'Cada punto es un anuncio; la línea une las medianas de cada mes.',
    closed: 'Cada punto es una operación; la línea une las medianas de cada mes.',
  },
  tooFewMonths:
    'Los datos de la zona son de menos de tres meses distintos: no bastan para mostrar una evolución.',
  noPrices: 'No hay precios de la zona que mostrar.',

  method: {
    how: 'Se buscan inmuebles parecidos y cercanos. El precio de cada uno se ajusta por lo que lo distingue de este inmueble: fecha, ubicación, superficie y demás características. La valoración es la media de esos precios ajustados, en la que pesan más los inmuebles más parecidos.',
    counts: (used, considered) =>
      `Se han considerado ${considered} inmuebles, de los que ${used} entran en el cálculo.`,
    chosen: 'Los comparables utilizados los eligió quien encargó la valoración.',
    leftOut: 'Quedan fuera',
    exclusion: {
      excluded_by_request: 'Descartados a mano por quien encargó la valoración',
      not_chosen: 'No elegidos por quien encargó la valoración',
      less_similar: 'Menos parecidos que los utilizados',
      same_property: 'Es este mismo inmueble',
      implausible_price: 'Con un precio poco verosímil',
    },
    range: (coverage, price, low, high) =>
      `La horquilla significa que, en un ${coverage} de los casos como este, ${price} está entre ${low} y ${high}. Es más ancha cuando hay pocos comparables o se parecen menos.`,
    currency: 'Moneda',
    deviation: 'Desviación típica prevista',
    adjustments: 'Ajustes',
    calibrated: date => `calibrados con este mercado el ${date}`,
    uncalibrated: 'habituales, aún sin calibrar con este mercado',
  },
}
