/** The cities of the simulator: real neighbourhoods, postcodes and streets (public knowledge), with asking-price levels of about 2026. */

import { italianLines } from './places-italy.ts'
import { portugueseLines } from './places-portugal.ts'

export const countries = ['ES', 'PT', 'IT'] as const
export type Country = (typeof countries)[number]

export interface Neighbourhood {
  name: string
  postcode: string
  latitude: number
  longitude: number
  /** Price per square metre here, relative to the city's level. */
  priceFactor: number
  streets: readonly string[]
}

export interface City {
  slug: string
  name: string
  country: Country
  /** The province; in Portugal, the district. */
  province: string
  /** EUR per square metre of a home for sale. */
  saleLevel: number
  /** EUR per square metre and month of a home to let. */
  rentLevel: number
  latitude: number
  longitude: number
  /** First digits of the city's landline numbers; six more follow. */
  landlinePrefix: string
  /** Share of the listings, relative to the other cities. */
  weight: number
  neighbourhoods: readonly Neighbourhood[]
}

// City lines start with '#': slug|name|province|sale|rent|latitude|longitude|landline|weight.
// Below each, its neighbourhoods: name|postcode|latitude|longitude|price factor|streets.
const gazetteerText = `
#madrid|Madrid|Madrid|5500|21.5|40.4168|-3.7038|915|18
Malasaña|28004|40.4265|-3.7046|1.12|Calle de Fuencarral;Calle de San Andrés;Calle del Espíritu Santo;Calle de la Palma
Lavapiés|28012|40.4086|-3.7010|0.96|Calle de Embajadores;Calle del Ave María;Calle de Argumosa;Calle de la Fe
Recoletos|28001|40.4240|-3.6860|1.62|Calle de Serrano;Calle de Velázquez;Calle de Jorge Juan;Calle de Lagasca
Almagro|28010|40.4318|-3.6935|1.42|Calle de Almagro;Calle de Zurbano;Calle de Santa Engracia;Calle de Caracas
Ibiza|28009|40.4190|-3.6745|1.26|Calle de Ibiza;Calle de Narváez;Calle de Sainz de Baranda;Calle del Doctor Castelo
Argüelles|28008|40.4300|-3.7165|1.15|Calle de la Princesa;Calle de Ferraz;Calle de Martín de los Heros
Prosperidad|28002|40.4440|-3.6730|1.10|Calle de López de Hoyos;Calle de Clara del Rey;Calle de Cartagena
Cuatro Caminos|28020|40.4510|-3.7020|0.92|Calle de Bravo Murillo;Calle de Orense;Avenida del General Perón
Delicias|28045|40.3975|-3.6930|0.93|Paseo de las Delicias;Calle de Méndez Álvaro;Calle de Áncora;Calle de Ferrocarril
Pueblo Nuevo|28017|40.4270|-3.6430|0.70|Calle de Alcalá;Calle de los Hermanos García Noblejas;Calle de Emilio Ferrari
Pinar del Rey|28033|40.4680|-3.6450|0.86|Avenida de la Gran Vía de Hortaleza;Calle de Mar Báltico;Calle de López de Hoyos
Vista Alegre|28025|40.3885|-3.7390|0.60|Calle de la Oca;Calle del General Ricardos;Calle de Nuestra Señora de Fátima
Numancia|28038|40.3965|-3.6600|0.56|Avenida de la Albufera;Calle de Peña Prieta;Calle de Monte Igueldo
Aluche|28024|40.3880|-3.7600|0.61|Calle de Illescas;Calle de Camarena;Calle de Maqueda;Calle de Valmojado
#barcelona|Barcelona|Barcelona|4900|23|41.3870|2.1701|934|16
El Raval|08001|41.3797|2.1682|0.86|Carrer de Joaquín Costa;Carrer de l'Hospital;Carrer de la Riera Alta;Carrer del Carme
Barri Gòtic|08002|41.3830|2.1770|1.02|Carrer d'Avinyó;Carrer de Ferran;Carrer del Call;Carrer de la Palla
La Barceloneta|08003|41.3800|2.1890|0.98|Passeig de Joan de Borbó;Carrer de la Maquinista;Carrer de Sant Carles
El Born|08003|41.3858|2.1810|1.06|Carrer de la Princesa;Carrer de Montcada;Carrer del Rec;Carrer dels Carders
Dreta de l'Eixample|08009|41.3935|2.1680|1.30|Carrer de Girona;Carrer del Bruc;Passeig de Sant Joan;Carrer de Roger de Llúria
Antiga Esquerra de l'Eixample|08036|41.3900|2.1545|1.18|Carrer d'Aribau;Carrer d'Enric Granados;Carrer de Muntaner
Sant Antoni|08015|41.3785|2.1610|1.04|Carrer del Parlament;Carrer de Viladomat;Ronda de Sant Antoni;Carrer del Comte Borrell
Sagrada Família|08013|41.4045|2.1745|0.98|Carrer de Mallorca;Carrer de Provença;Carrer de la Marina;Avinguda de Gaudí
El Poble-sec|08004|41.3735|2.1620|0.85|Carrer de Blai;Carrer de Margarit;Carrer de Tapioles;Carrer de Blasco de Garay
Sants|08014|41.3760|2.1370|0.82|Carrer de Sants;Carrer de Galileu;Carrer de Vallespir;Carrer de Guadiana
La Marina|08038|41.3600|2.1400|0.66|Passeig de la Zona Franca;Carrer de la Foneria;Carrer dels Ferrocarrils Catalans
Les Corts|08028|41.3855|2.1310|1.08|Carrer de Numància;Travessera de les Corts;Carrer de Joan Güell;Carrer de Galileu
Pedralbes|08034|41.3905|2.1120|1.60|Avinguda de Pearson;Passeig de Manuel Girona;Carrer de Bosch i Gimpera
Sarrià|08017|41.4010|2.1205|1.44|Carrer Major de Sarrià;Passeig de la Bonanova;Carrer d'Anglí;Carrer del Cardenal Vives i Tutó
Sant Gervasi - Galvany|08021|41.3975|2.1440|1.46|Carrer de Calvet;Carrer d'Amigó;Via Augusta;Carrer de Santaló
Vila de Gràcia|08012|41.4030|2.1565|1.10|Carrer Gran de Gràcia;Carrer de Verdi;Carrer de Torrijos;Carrer de Bonavista
El Guinardó|08041|41.4180|2.1740|0.76|Ronda del Guinardó;Carrer de l'Art;Carrer de Rogent;Carrer de la Garrotxa
El Carmel|08032|41.4225|2.1555|0.62|Carrer de la Murtra;Carrer de Llobregós;Carrer de Santa Rosalia
Horta|08031|41.4295|2.1610|0.71|Carrer d'Horta;Passeig de Maragall;Carrer de Dante Alighieri
Nou Barris|08042|41.4400|2.1750|0.58|Passeig de Fabra i Puig;Passeig de Valldaura;Carrer de Pi i Molist
Sant Andreu|08030|41.4355|2.1900|0.74|Carrer Gran de Sant Andreu;Carrer de Malats;Passeig de Torras i Bages
El Clot|08018|41.4100|2.1880|0.84|Carrer del Clot;Carrer de la Independència;Carrer de Rossend Nobas
El Poblenou|08005|41.4010|2.2030|0.99|Rambla del Poblenou;Carrer de Pujades;Carrer de Llull;Carrer de Ramon Turró
Diagonal Mar|08019|41.4065|2.2125|1.26|Passeig del Taulat;Carrer de Josep Pla;Carrer de Selva de Mar
La Verneda|08020|41.4230|2.2010|0.60|Carrer de Guipúscoa;Carrer del Concili de Trento;Rambla de Prim
#valencia|Valencia|Valencia|3100|15.5|39.4699|-0.3763|963|10
El Carme|46003|39.4780|-0.3800|1.16|Calle de los Caballeros;Calle Alta;Calle Baja;Calle de Roteros
Russafa|46006|39.4615|-0.3730|1.12|Calle de Cádiz;Calle de Sueca;Calle de Cuba;Calle del Literato Azorín
El Pla del Remei|46004|39.4690|-0.3695|1.52|Calle de Colón;Calle de Cirilo Amorós;Calle de Sorní;Calle de Jorge Juan
Benimaclet|46020|39.4870|-0.3600|0.86|Calle del Barón de San Petrillo;Avenida de Emilio Baró;Calle de la Murta
El Cabanyal|46011|39.4700|-0.3300|0.88|Calle de la Reina;Calle de José Benlliure;Calle del Doctor Lluch
Algirós|46022|39.4740|-0.3440|0.87|Avenida de Blasco Ibáñez;Calle de los Santos Justo y Pastor;Calle de Yecla
Campanar|46015|39.4830|-0.3960|0.99|Avenida de las Cortes Valencianas;Avenida de Pío XII;Calle del Maestro Rodrigo
Patraix|46018|39.4610|-0.3960|0.76|Calle de Cuenca;Calle del Beato Nicolás Factor;Avenida de Gaspar Aguilar
Torrefiel|46019|39.4930|-0.3760|0.60|Avenida de la Constitución;Calle del Arquitecto Rodríguez;Calle de Sant Vicent de Paúl
#sevilla|Sevilla|Sevilla|2650|12.8|37.3891|-5.9845|954|7
Santa Cruz|41004|37.3860|-5.9890|1.32|Calle Mateos Gago;Calle San José;Calle Santa María la Blanca
Alameda|41002|37.3990|-5.9940|1.14|Alameda de Hércules;Calle Feria;Calle Jesús del Gran Poder;Calle Calatrava
Triana|41010|37.3830|-6.0040|1.12|Calle San Jacinto;Calle Pagés del Corro;Calle Pureza;Calle Betis
Los Remedios|41011|37.3755|-5.9985|1.18|Calle Asunción;Avenida de la República Argentina;Calle Virgen de Luján
Nervión|41005|37.3840|-5.9720|1.15|Avenida de Eduardo Dato;Calle Luis Montoto;Avenida de San Francisco Javier
Macarena|41009|37.4050|-5.9850|0.72|Calle San Luis;Avenida de Miraflores;Calle Doctor Fedriani
Cerro Amate|41006|37.3760|-5.9500|0.50|Avenida de la Plata;Calle Afán de Ribera;Avenida de Hytasa
Sevilla Este|41020|37.3990|-5.9180|0.68|Avenida de las Ciencias;Avenida de Emilio Lemos;Calle Cueva de Menga
#zaragoza|Zaragoza|Zaragoza|2150|11|41.6488|-0.8891|976|5
Centro|50004|41.6500|-0.8840|1.20|Paseo de la Independencia;Calle del Coso;Calle de San Miguel;Calle de Cádiz
Casco Histórico|50003|41.6560|-0.8790|0.86|Calle de Alfonso I;Calle de Don Jaime I;Calle de San Pablo
Universidad|50009|41.6400|-0.8990|1.12|Calle de San Juan Bosco;Gran Vía;Paseo de Fernando el Católico
Actur|50018|41.6680|-0.8890|0.98|Calle de María Zambrano;Calle del Poeta León Felipe;Avenida de los Estudiantes
Delicias|50010|41.6520|-0.9100|0.68|Calle de Delicias;Avenida de Navarra;Calle de Barcelona
Las Fuentes|50002|41.6480|-0.8630|0.63|Calle de Compromiso de Caspe;Calle de Salvador Minguijón;Calle de Rodrigo Rebolledo
Torrero|50007|41.6310|-0.8800|0.72|Avenida de América;Calle de Fray Julián Garcés;Paseo de Cuéllar
#malaga|Málaga|Málaga|3500|15.5|36.7213|-4.4214|952|7
Centro Histórico|29015|36.7220|-4.4210|1.28|Calle Carretería;Calle Granada;Calle Álamos;Calle Beatas
La Malagueta|29016|36.7185|-4.4090|1.42|Paseo Marítimo Pablo Ruiz Picasso;Calle Cervantes;Calle Maestranza
El Perchel|29002|36.7140|-4.4290|1.02|Calle Cuarteles;Calle Salitre;Avenida de las Américas
Teatinos|29010|36.7180|-4.4720|0.98|Bulevar Louis Pasteur;Avenida de Plutarco;Calle Jenofonte
Huelin|29002|36.7040|-4.4400|0.95|Calle La Hoz;Calle Tomás Echeverría;Paseo Marítimo Antonio Machado
Cruz de Humilladero|29006|36.7100|-4.4480|0.66|Calle Ayala;Avenida de Carlos Haya;Calle Alonso Cruzado
El Palo|29017|36.7200|-4.3620|1.10|Avenida de Juan Sebastián Elcano;Calle Almería;Calle Mar
#murcia|Murcia|Murcia|1500|9|37.9922|-1.1307|968|5
Centro|30001|37.9855|-1.1300|1.28|Calle de la Trapería;Gran Vía del Escultor Salzillo;Calle de la Platería
Santa María de Gracia|30009|37.9960|-1.1350|1.20|Avenida de los Pinos;Calle del Marqués de los Vélez;Avenida del Primero de Mayo
El Carmen|30002|37.9770|-1.1310|0.74|Calle de la Alameda de Capuchinos;Avenida de la Fama;Calle de Cartagena
Vistabella|30003|37.9870|-1.1190|0.88|Calle del Doctor Fleming;Calle de la Paz;Plaza de los Patos
El Palmar|30120|37.9370|-1.1630|0.56|Calle Mayor;Calle de Lorca;Calle de la Paz
Juan Carlos I|30007|38.0060|-1.1280|1.08|Avenida de Juan Carlos I;Avenida de Miguel Induráin;Calle del Pintor Pedro Flores
#palma|Palma|Illes Balears|4700|18|39.5696|2.6502|971|6
Casc Antic|07001|39.5690|2.6500|1.36|Carrer de Sant Miquel;Carrer de la Unió;Carrer de Sant Jaume;Carrer de la Concepció
Santa Catalina|07013|39.5730|2.6350|1.24|Carrer de la Fàbrica;Carrer de Sant Magí;Carrer d'Anníbal
Portixol|07006|39.5600|2.6690|1.32|Carrer de la Sirena;Carrer del Vicari Joaquim Fuster;Carrer d'Illa de Xipre
Son Armadams|07014|39.5650|2.6290|1.16|Carrer de Joan Crespí;Avinguda de l'Argentina;Carrer de Robert Graves
Foners|07006|39.5705|2.6640|0.78|Carrer de Manacor;Carrer d'Aragó;Carrer de Nicolau de Pacs
Son Gotleu|07008|39.5795|2.6760|0.56|Carrer d'Indalecio Prieto;Carrer de Regal;Carrer de Son Gotleu
Rafal|07008|39.5880|2.6720|0.66|Carrer de Son Rossinyol;Carrer d'Eusebi Estada;Carrer del Cardenal Rossell
#bilbao|Bilbao|Bizkaia|3700|15.5|43.2630|-2.9350|944|5
Casco Viejo|48005|43.2570|-2.9240|1.02|Calle Somera;Calle Artekale;Calle de la Ronda;Calle Bidebarrieta
Abando|48009|43.2640|-2.9330|1.40|Gran Vía de Don Diego López de Haro;Calle Ercilla;Calle Henao;Alameda de Mazarredo
Indautxu|48011|43.2620|-2.9430|1.32|Alameda de Urquijo;Calle Licenciado Poza;Calle de Rodríguez Arias
Deusto|48014|43.2720|-2.9450|0.98|Avenida de Lehendakari Aguirre;Calle Iruña;Calle Blas de Otero
Santutxu|48004|43.2530|-2.9110|0.82|Calle de Santutxu;Avenida de Zumalacárregui;Calle del Karmelo
Rekalde|48002|43.2510|-2.9430|0.68|Calle Gordoniz;Avenida del Ferrocarril;Calle Altube
Begoña|48006|43.2610|-2.9150|0.84|Calle Zabalbide;Calle de la Virgen de Begoña;Calle Iturribide
#alicante|Alicante|Alicante|2450|12|38.3452|-0.4810|965|6
Centro|03001|38.3460|-0.4860|1.14|Avenida de Alfonso el Sabio;Rambla de Méndez Núñez;Calle de Castaños
Ensanche Diputación|03003|38.3430|-0.4920|1.18|Avenida de Maisonnave;Calle de Pintor Aparicio;Avenida de Óscar Esplá
Playa de San Juan|03540|38.3780|-0.4150|1.36|Avenida de Niza;Avenida de la Costa Blanca;Avenida de las Naciones
Benalúa|03007|38.3380|-0.4950|0.92|Avenida del Catedrático Soler;Calle de Alona;Calle de Pardo Gimeno
Carolinas|03012|38.3570|-0.4840|0.56|Calle de San Mateo;Calle de Sevilla;Avenida de Jaime I
San Blas|03005|38.3510|-0.4990|0.72|Calle de San Carlos;Avenida de Adolfo Muñoz Alonso;Calle del Pintor Gisbert
Babel|03008|38.3340|-0.5030|0.84|Avenida de Elche;Calle de Asilo;Calle de Fernando Madroñal
#cordoba|Córdoba|Córdoba|1600|9|37.8882|-4.7794|957|4
Centro|14001|37.8870|-4.7800|1.24|Avenida del Gran Capitán;Calle Cruz Conde;Ronda de los Tejares
La Judería|14003|37.8800|-4.7815|1.18|Calle Deanes;Calle Judíos;Calle Tomás Conde;Calle Romero
Ciudad Jardín|14004|37.8830|-4.7890|0.82|Calle Antonio Maura;Avenida de la República Argentina;Calle Maestro Priego López
El Brillante|14012|37.9090|-4.7830|1.28|Avenida del Brillante;Calle Poeta Juan Ramón Jiménez;Avenida de la Arruzafa
Levante|14007|37.8920|-4.7570|0.62|Avenida de Barcelona;Avenida de Carlos III;Calle Jesús Rescatado
Santa Rosa|14006|37.8990|-4.7770|0.82|Avenida de los Almogávares;Calle Sagunto;Avenida de las Ollerías
#valladolid|Valladolid|Valladolid|1850|9.5|41.6523|-4.7245|983|4
Centro|47001|41.6520|-4.7280|1.28|Calle de Santiago;Calle del Duque de la Victoria;Calle de Miguel Íscar
Campo Grande|47006|41.6450|-4.7320|1.22|Paseo de Zorrilla;Calle de Muro;Acera de Recoletos
Parquesol|47014|41.6370|-4.7600|1.00|Calle de Hernando de Acuña;Calle de Enrique Cubero;Calle de Manuel Azaña
Delicias|47013|41.6370|-4.7190|0.70|Paseo de Juan Carlos I;Calle de la Mota;Calle de Canterac
Rondilla|47010|41.6620|-4.7200|0.66|Calle de Mirabel;Calle de las Mirandas;Calle del Cardenal Torquemada
Pajarillos|47012|41.6500|-4.7020|0.52|Calle de la Cigüeña;Calle de Pelícano;Calle de Salud
#vigo|Vigo|Pontevedra|2450|11|42.2406|-8.7207|986|4
Areal|36201|42.2400|-8.7180|1.32|Calle del Areal;Calle de Colón;Calle de Rosalía de Castro
Casco Vello|36202|42.2385|-8.7260|1.00|Calle Real;Calle de Elduayen;Calle de la Oliva
Bouzas|36208|42.2270|-8.7520|0.92|Calle de Tomás A. Alonso;Avenida de Eduardo Cabello;Calle de Covadonga
Travesas|36210|42.2230|-8.7380|0.82|Avenida de Castelao;Avenida de Fragoso;Avenida de la Florida
Calvario|36205|42.2330|-8.7000|0.76|Calle de Urzáiz;Calle de Sanjurjo Badía;Travesía de Vigo
Teis|36207|42.2520|-8.6890|0.64|Avenida de Galicia;Calle de Doctor Corbal;Calle de Buenos Aires
#granada|Granada|Granada|2350|11.5|37.1773|-3.5986|958|5
Centro|18001|37.1740|-3.6000|1.24|Calle Recogidas;Gran Vía de Colón;Calle Alhamar;Calle San Antón
Albaicín|18010|37.1810|-3.5940|1.18|Calle Elvira;Carrera del Darro;Calle Calderería Nueva;Cuesta del Chapiz
Realejo|18009|37.1720|-3.5930|1.16|Calle Molinos;Calle Santiago;Calle San Matías
Ronda|18004|37.1700|-3.6080|0.98|Calle Camino de Ronda;Calle Sócrates;Calle Pedro Antonio de Alarcón
Zaidín|18006|37.1590|-3.5980|0.80|Avenida de Dílar;Avenida de América;Calle Primavera
La Chana|18015|37.1880|-3.6180|0.64|Carretera Antigua de Málaga;Calle Sultana;Calle Virgen de la Consolación
`

function parseGazetteer(country: Country, text: string): City[] {
  const cities: (City & { neighbourhoods: Neighbourhood[] })[] = []
  for (const line of text.trim().split('\n')) {
    const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = '', i = ''] = line.split('|')
    if (a.startsWith('#')) {
      cities.push({
        slug: a.slice(1),
        name: b,
        country,
        province: c,
        saleLevel: Number(d),
        rentLevel: Number(e),
        latitude: Number(f),
        longitude: Number(g),
        landlinePrefix: h,
        weight: Number(i),
        neighbourhoods: [],
      })
    } else {
      cities.at(-1)!.neighbourhoods.push({
        name: a,
        postcode: b,
        latitude: Number(c),
        longitude: Number(d),
        priceFactor: Number(e),
        streets: f.split(';'),
      })
    }
  }
  return cities
}

/** The Spanish cities: most portals are Spanish. */
export const spanishCities: readonly City[] = parseGazetteer('ES', gazetteerText)

export const citiesByCountry: Readonly<Record<Country, readonly City[]>> = {
  ES: spanishCities,
  PT: parseGazetteer('PT', portugueseLines),
  IT: parseGazetteer('IT', italianLines),
}

/** Kilometres between two points of one city (flat-earth: exact enough within 50 km). */
export function kilometersBetween(
  latitude: number,
  longitude: number,
  to: { latitude: number; longitude: number },
) {
  const north = (latitude - to.latitude) * 111.2
  const east = (longitude - to.longitude) * 111.2 * Math.cos((to.latitude * Math.PI) / 180)
  return Math.hypot(north, east)
}
