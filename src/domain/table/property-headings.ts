/** Headings of columns about properties in exports of portals and CRMs and in agents' own sheets. */
import type { NamedLeadField } from './lead-fields.ts'

/** In the format of `contactHeadings`. */
export const propertyHeadings: Partial<Record<NamedLeadField, string>> = {
  'property.operation': `
    operation, operacion, operacio, operacao, operazione, tipo operacion, tipo de operacion, tipus
    operacio, tipus d operacio, tipo de operacao, tipo operazione, tipo de negocio, negocio,
    transaction, transaction type, listing type, contratto, tipo contratto, tipologia contratto,
    venta alquiler, venta o alquiler, alquiler venta, venda lloguer, venda arrendamento, vendita
    affitto, sale or rent, sale rent, finalidad, finalidade, finalita, objetivo, tipo operacion
    inmueble, tipo transaccion, tipo de transaccion, tipo transacao, tipo de transacao, transaccion,
    transacao, transazione, tipo transazione, tipo contrato, tipo de contrato, tipo di contratto,
    tipo negocio, tipo de gestion, tipo gestion, operacion inmobiliaria, tipologia operacion,
    tipologia negocio, tipologia de negocio, sale rental, venta arriendo, compra alquiler, tipo op,
    keyacci, tipo oper, tipo operac, operac, oper`,
  'property.propertyType': `
    property type, type of property, tipo inmueble, tipo de inmueble, tipo propiedad, tipo de
    propiedad, tipo vivienda, tipo de vivienda, tipus immoble, tipus d immoble, tipus habitatge,
    tipo imovel, tipo de imovel, tipo do imovel, tipo immobile, tipo di immobile, tipologia
    immobile, categoria immobile, inmueble, tipologia, subtipo, home type, tipo de bien, tipo bien,
    tipo casa, tipo propriedade, tipo de propriedade, tipo proprieta, tipo di proprieta, tipologia
    inmueble, tipologia del inmueble, tipologia vivienda, tipologia de vivienda, tipologia
    propiedad, tipologia di immobile, tipologia imovel, tipologia do imovel, tipologia immobiliare,
    clase inmueble, clase de inmueble, categoria inmueble, categoria del inmueble, categoria de
    inmueble, categoria do imovel, categoria imovel, subtipo inmueble, subtipo de inmueble, subtipo
    immobile, natureza do imovel, natureza imovel, tipus de propietat, tipus propietat, tipus d
    habitatge, tipo inm, tipo inmob, tipo prop, tipo viv, type of home, kind of property, tipo imob,
    tipo imm, tipo ofer, nbtipo, nb tipo`,
  'property.title': `
    listing title, property title, titulo anuncio, titulo del anuncio, titol anunci, titulo do
    anuncio, titolo annuncio, title, titulo, titol, titolo, titular anuncio, headline, encabezado,
    asunto, oggetto, property name, nombre inmueble, nombre propiedad, titulo inmueble, titulo del
    inmueble, titulo propiedad, titulo imovel, titulo do imovel, titolo immobile, titulo ficha,
    tituloes, titular del anuncio, nombre del anuncio, nombre anuncio, nombre del inmueble, nome do imovel,
    nome immobile`,
  'property.description': `
    description, descripcion, descripcio, descricao, descrizione, listing description, property
    description, descripcion anuncio, descripcion inmueble, descripcion larga, descripcion completa,
    texto anuncio, texto, testo annuncio, long description, details, detalles, descripcion del
    inmueble, descripcion propiedad, descripcion del anuncio, descripcion vivienda, descricao
    imovel, descricao do imovel, descricao anuncio, descricao completa, descrizione immobile,
    descrizione annuncio, descrizione estesa, texto del anuncio, texto do anuncio, testo dell
    annuncio, descripcio immoble, descripcio anunci, descripcioneses, descripciones, descripes, testo immobile`,
  'property.price': `
    price, asking price, list price, listing price, sale price, sales price, guide price, rent
    price, rental price, monthly rent, rent pcm, precio, precio venta, precio de venta, precio
    actual, precio alquiler, precio de alquiler, pvp, importe, renta, preu, preu venda, preu de
    venda, preu lloguer, preco, preco venda, preco de venda, preco pedido, valor de venda, valor
    pedido, prezzo, prezzo richiesto, prezzo di vendita, prezzo vendita, richiesta, canone, canone
    mensile, deal value, amount, renda, valor, precio pedido, precio solicitado, precio ofertado,
    precio anunciado, precio publicado, precio de publicacion, precio publicacion, precio inmueble,
    precio total, precio de salida, precio anuncio, precio del anuncio, precio mes, precio mensual,
    precio alquiler mes, precio alquiler mensual, precio inmo, precio propietario, precio eur,
    precio euros, importe venta, importe de venta, importe alquiler, importe mensual, renta mensual,
    alquiler mensual, cuota alquiler, valor anunciado, valor de anuncio, valor inmueble, valor del
    inmueble, valor venta, valor de la propiedad, pvp venta, preco de arrendamento, preco
    arrendamento, preco aluguer, preco de aluguer, preco renda, preco anunciado, preco anuncio,
    preco imovel, preco total, preco mensal, preco de oferta, renda mensal, valor da renda, valor
    renda, valor venda, valor do imovel, valor imovel, valor arrendamento, valor de arrendamento,
    prezzo annuncio, prezzo pubblicato, prezzo affitto, prezzo di affitto, prezzo locazione, prezzo
    immobile, prezzo totale, prezzo di listino, prezzo offerto, prezzo mensile, prezzo base, canone
    di locazione, canone locazione, canone affitto, canone di affitto, affitto mensile, importo,
    importo richiesto, valore, preu total, preu anunci, preu de lloguer, preu demanat, trato valor,
    negocio valor, affare valore, valor del trato, valor trato, valor del negocio, valor do negocio,
    valore affare, importe del negocio, price asked, asked price, asking, precio pvp, preu pvp, p
    venta, precio vta, prec venta, prezzo vendita richiesto, precioinmo, precio alq, precioalq, prezzo di locazione,
    valor da venda, valor do arrendamento, precio traspaso`,
  'property.currency': `
    currency, currency code, moneda, divisa, moeda, valuta, deal currency`,
  'property.squareMeters': `
    square meters, square metres, sqm, sq m, built area, built up area, floor area, total area, m2
    construidos, m2 const, m2 cons, m2 c, metros construidos, metros cuadrados construidos,
    superficie construida, sup construida, sup const, area bruta, area bruta construida, m2
    construits, superficie construida m2, superficie commerciale, superficie, sup, metros cuadrados,
    metros quadrados, metres quadrats, metri quadri, metri quadrati, metros, metratura, mq, m2,
    area, area m2, area total, superficie total, superficie totale, size, size m2, living area,
    usable area, superficie util, superficie utile, sup util, m2 utiles, m2 util, m2 u, metros
    utiles, m2 utils, area util, m2 totales, m2 total, m2 constr, m2 construida, m2 edificados, m2
    utiles construidos, mts2, mts 2, mts, mtrs, metros2, metros totales, m const, m constr, m
    construidos, m cuadrados, mtrs cuadrados, metros const, metros constr, superf, superf
    construida, superf const, superf total, superf util, sup m2, sup mq, sup total, sup totale, sup
    commerciale, sup interna, superficie m2, superficie mq, superficie const, superficie constr,
    superficie edificada, superficie interna, superficie netta, superficie lorda, superficie
    calpestabile, superficie coperta, superficie bruta, superficie privativa, superficie immobile,
    superficie vivienda, superficie inmueble, area construida, area habitable, area habitacional,
    area privativa, area bruta privativa, area bruta m2, area util m2, area em m2, area imovel, area
    do imovel, mq commerciali, mq totali, mq calpestabili, mq netti, mq immobile, m q, mtq, metri,
    metri commerciali, m utiles, m cons, mt2, mts construidos`,
  'property.rooms': `
    rooms, room count, number of rooms, no of rooms, habitaciones, habitacion, habs, hab, n hab, n
    habs, no hab, num hab, n habitaciones, num habitaciones, numero habitaciones, numero de
    habitaciones, habitacions, n habitacions, nombre d habitacions, estancias, divisoes,
    assoalhadas, n assoalhadas, locali, n locali, numero locali, vani, stanze, numero stanze, num de
    habitaciones, n de habitaciones, hab totales, total habitaciones, total hab, habitaciones
    totales, habit, n habit, cuartos, n cuartos, alcobas, ambientes, numero de divisoes, n divisoes,
    n de divisoes, num divisoes, assoalhadas n, numero assoalhadas, comodos, n vani, numero di vani,
    n stanze, num locali, n di locali, numero di locali, num stanze, numero di stanze, nombre
    habitacions, num habitacions, n hab totales`,
  'property.bedrooms': `
    bedrooms, beds, bedroom, number of bedrooms, no of bedrooms, no bedrooms, dormitorios,
    dormitorio, dorm, dorms, n dormitorios, n dorm, num dormitorios, numero de dormitorios,
    dormitoris, quartos, n quartos, n de quartos, numero de quartos, camere, camere da letto, camere
    letto, n camere, numero camere, dormit, num dorm, num dormit, n de dormitorios, total
    dormitorios, dormitorios totales, num quartos, quartos n, num camere, n di camere, numero di
    camere, numero camere da letto, n camere da letto, num dormitoris, n dormitoris, nombre de
    dormitoris`,
  'property.bathrooms': `
    bathrooms, baths, bathroom, number of bathrooms, no of bathrooms, banos, bano, n banos, num
    banos, numero de banos, numero banos, banys, n banys, lavabos, casas de banho, casa de banho, n
    casas de banho, wc, wcs, banheiros, bagni, bagno, n bagni, numero bagni, banos completos, banos
    totales, total banos, banos y aseos, banos aseos, n de banos, num de banos, wc s, n wc, num wc,
    n casas banho, casas banho, n de casas de banho, numero de casas de banho, num casas de banho,
    banheiro, n banheiros, servizi, servizi igienici, num bagni, n di bagni, numero di bagni, bany,
    num banys, nombre de banys, num banos completos, banyos, num banyos, n banyos, numero banyos`,
  'property.floor': `
    floor, floor number, floor no, planta, n planta, num planta, altura, piso, andar, piano, pis,
    planta inmueble, planta vivienda, planta piso, numero planta, numero de planta, piso planta,
    altura planta, andar piso, piso andar, n andar, n piso, n piano, numero piano, piano immobile,
    livello piano, num piano, piso pta, piso puerta, planta puerta, planta pta, andar fracao`,
  'property.floorText': 'floor text',
  'property.condition': `
    condition, property condition, state of repair, estado inmueble, estado del inmueble, estado
    vivienda, estado de conservacion, estado conservacion, conservacion, estat de conservacio, estat
    immoble, estado do imovel, estado de conservacao, condicao, stato immobile, stato dell immobile,
    stato di conservazione, condizioni, condizione, estado propiedad, estado de la propiedad, estado
    de la vivienda, estado fisico, estado imovel, estado conservacao, condicion, condiciones, stato
    conservazione, stato manutentivo, stato di manutenzione, condizioni immobile, stato dell unita,
    estat conservacio, estat de l habitatge`,
  'property.features': `
    features, amenities, extras, equipamiento, caracteristicas, caracteristiques, caratteristiche,
    equipamento, comodidades, dotazioni, accessori, caracteristicas inmueble, caracteristicas del
    inmueble, caracteristicas do imovel, caratteristiche immobile, caracteristicas adicionales,
    extras inmueble, equipamientos, prestaciones, comodidades inmueble, amenidades, optional,
    servicios, dotaciones`,
  'property.address': `
    address, street address, property address, full address, address line, direccion, direccion
    inmueble, direccion del inmueble, direccion propiedad, direccion vivienda, direccion completa,
    direccion postal, domicilio, calle, nombre calle, nombre de la calle, via publica, adreca,
    adreca completa, carrer, morada, morada completa, morada do imovel, endereco, endereco completo,
    rua, indirizzo, indirizzo immobile, indirizzo completo, via, street, mailing street, home
    street, business street, ubicacion, location, address street, address formatted, dir, direcc,
    direccion calle, direccion de la vivienda, domic, domicilio completo, calle y numero, calle
    numero, calle domicilio, calle del domicilio, via y numero, nombre via, nombre de via, nombre de
    la via, direccion anuncio, direccion del anuncio, direccion postal completa, endereco imovel,
    endereco do imovel, morada imovel, rua e numero, rua numero, indirizzo e numero civico,
    indirizzo civico, via e civico, via e numero, indirizzo via, via indirizzo, indirizzo dell
    immobile, adreca immoble, adreca postal, address 1 street, rua residencial, calle particular,
    via abitazione, indirizzo postale, calle plaza, calle via, via calle, dir inmueble, domicilio
    inmueble, ubicazione, ubicacion inmueble, localizacao, localizacion`,
  'property.streetNumber': `
    street number, house number, numero calle, numero de calle, num calle, n calle, numero via, numero de
    via, num via, n via, numero de la calle, numero de la via, numero finca, n finca, numero portal, n
    portal, numero edificio, num edificio, n porta, num porta, numero porta, numero de porta, numero da
    porta, n de porta, n da porta, civico, n civico, num civico, numero civico, numero de policia, n
    policia, nro calle`,
  'property.municipality': `
    municipality, address city, city, town, town city, city town, home city, business city, mailing
    city, municipio, poblacion, localidad, ciudad, municipi, poblacio, localitat, ciutat, concelho,
    cidade, localidade, comune, citta, localita, pob, poblac, municipio poblacion, poblacion
    municipio, ciudad poblacion, ciudad municipio, ciudad localidad, localidad municipio, nombre
    municipio, nombre poblacion, direccion ciudad, direccion poblacion, ciudad de residencia, cidade
    concelho, concelho cidade, municipio concelho, endereco cidade, comune citta, citta comune,
    citta abitazione, citta indirizzo postale, indirizzo citta, comune immobile, localidade
    residencial`,
  'property.province': `
    province, provincia, prov, county, distrito, region, state province, state region, address
    region, home state, business state, mailing state province, estado provincia, provincia estado,
    provincia estado de residencia, provincia o estado de residencia, direccion provincia, estado o
    region, estado region, indirizzo provincia, provincia sigla, sigla provincia, provincia
    distrito, distrito provincia, stato regione, regione provincia`,
  'property.postcode': `
    postcode, address postal code, post code, postal code, zip, zip code, zipcode, zip postal code,
    mailing zip postal code, home postal code, business postal code, codigo postal, cod postal, c
    postal, cp, c p, codi postal, cap, codice postale, codice avviamento postale, cod post, codigo
    p, cod p, cpostal, codpostal, codigopostal, direccion codigo postal, codigo postal particular,
    endereco codigo postal, cep, cap indirizzo, codice cap, cap abitazione, c a p, indirizzo cap,
    codigo zip, codi p`,
  'property.latitude': `
    latitude, lat, latitud, latitudine, gps lat, gps latitude, gps latitud, latitude gps, latitud gps, latitudine gps, coordenadas latitud, coordenadas latitude, coord lat, coordenada y`,
  'property.longitude': `
    longitude, gps longitude, gps longitud, longitude gps, longitud gps, longitudine gps, coordenadas longitud, coordenadas longitude, altitud, lon, lng, long, longitud, longitudine, gps lon, gps lng, coord lon, coordenada x`,
  'property.images': `
    images, image, image urls, image url, photos, photo, photo urls, pictures, imagenes, imagen,
    fotos, foto, fotografias, imatges, imagens, fotografie, immagini, immagine, fotos inmueble,
    fotos del inmueble, url fotos, urls fotos, url imagenes, enlaces fotos, galeria, foto immobile,
    foto imovel, fotos do imovel, url foto, link foto, imagenes inmueble`,
  'property.url': `
    url, listing url, property url, ad url, link, enlace, enllac, ligacao, collegamento, url
    anuncio, url del anuncio, enlace anuncio, enlace del anuncio, link anuncio, link annuncio, link
    anunci, url annuncio, anuncio, anunci, annuncio, portal url, url portal, url del inmueble, url
    inmueble, url propiedad, url imovel, url do imovel, url do anuncio, url immobile, url dell
    annuncio, url ficha, enlace al anuncio, enlace inmueble, enlace al inmueble, enlace web, link
    del anuncio, link al anuncio, link inmueble, link imovel, link do imovel, link do anuncio, link
    immobile, link all annuncio, link dell annuncio, permalink, enlace portal, link portal`,
  'property.publishedAt': `
    published at, published, publication date, publish date, listing date, listed on, date listed,
    fecha publicacion, fecha de publicacion, fecha anuncio, fecha del anuncio, publicado, publicado
    el, data publicacio, data de publicacio, data publicacao, data de publicacao, publicado em, data
    pubblicazione, data di pubblicazione, data annuncio, pubblicato il, fecha de anuncio, fecha del
    anuncio publicado, fecha alta anuncio, fecha de alta del anuncio, data anuncio, data do anuncio,
    data de anuncio, data dell annuncio, data inserzione, data inserimento annuncio, data anunci`,
}
