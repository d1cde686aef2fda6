/** Polish. The letter `ł` is written `l`. */
import type { LanguageWords } from './language-words.ts'

export const pl: LanguageWords = {
  common: 'w,z,na,do,jest,oraz,i,sie,dla,od,przy,po,nie,ze,o,lub,bardzo,to',
  numberOf: 'liczba,ilosc,l',
  labels: {
    price:
      'cena,cena sprzedazy,cena calkowita,od,cena od,cena ofertowa,cena brutto,kwota,cena nieruchomosci,cena mieszkania,cena wywolawcza',
    coldRent:
      'cena najmu,cena wynajmu,czynsz najmu,odstepne,najem,wynajem,cena za miesiac,koszt najmu,cena miesieczna',
    otherAmount: `czynsz,czynsz administracyjny,oplaty,kaucja,kaucja zwrotna,cena za m2,cena m2,oplaty dodatkowe,prowizja,
      cena za metr,rata,rata kredytu,cena za metr kwadratowy,dodatkowe oplaty,media,oplaty eksploatacyjne,
      oplaty miesieczne,stara cena,poprzednia cena,czynsz dodatkowo,miesieczna rata,koszty utrzymania,oplaty w czynszu`,
    area: `powierzchnia,powierzchnia mieszkania,metraz,pow,powierzchnia domu,powierzchnia calkowita mieszkania,
      powierzchnia mieszkalna,powierzchnia w m2,pow mieszkania,powierzchnia biura,powierzchnia lokalu,wielkosc,
      powierzchnia nieruchomosci,pow domu,powierzchnia zabudowy domu`,
    usableArea: 'powierzchnia uzytkowa,pow uzytkowa,uzytkowa',
    totalArea: 'powierzchnia calkowita,pow calkowita,calkowita,powierzchnia ogolna',
    plotArea:
      'powierzchnia dzialki,dzialka,pow dzialki,wielkosc dzialki,powierzchnia gruntu,powierzchnia terenu,grunt,powierzchnia dzialki w m2',
    otherArea:
      'balkon,taras,ogrod,piwnica,garaz,kuchnia,salon,powierzchnia tarasu,powierzchnia balkonu,powierzchnia ogrodu,komorka lokatorska,powierzchnia kuchni,powierzchnia salonu,powierzchnia zabudowy,pokoj dzienny',
    rooms: 'pokoje,pokoi,liczba pokoi,pokoj,pomieszczenia',
    bedrooms: 'sypialnie,liczba sypialni,sypialnia,sypialni',
    bathrooms: 'lazienki,liczba lazienek,lazienka,lazienek',
    floor: 'pietro,kondygnacja,poziom,pietro mieszkania,numer pietra',
    otherCount:
      'pieter,liczba pieter,liczba kondygnacji,kondygnacje,pieter w budynku,liczba pieter w budynku,miejsca parkingowe,wc,liczba poziomow,wyswietlenia,zdjecia,liczba miejsc parkingowych,liczba toalet,toalety,miejsce parkingowe,ilosc pieter,pietra,dostepne od,ekspozycja,liczba balkonow',
    yearBuilt: 'rok budowy,rok,wybudowany,data budowy,rok oddania,wybudowano,rok zabudowy',
    condition:
      'stan,stan wykonczenia,stan nieruchomosci,stan mieszkania,stan lokalu,standard,standard wykonczenia,stan techniczny,stan budynku,wykonczenie,stan domu',
    energyRating:
      'klasa energetyczna,certyfikat energetyczny,swiadectwo energetyczne,klasa energetyczna budynku,swiadectwo charakterystyki energetycznej,efektywnosc energetyczna',
    emissionsRating: 'emisja co2,emisje co2',
    operation:
      'transakcja,rodzaj transakcji,typ transakcji,oferta,rodzaj oferty,typ oferty,przeznaczenie oferty',
    type: 'typ,rodzaj,rodzaj nieruchomosci,typ nieruchomosci,kategoria,rodzaj zabudowy,typ domu,typ budynku,rodzaj budynku,rodzaj domu,rodzaj mieszkania,rodzaj lokalu',
    status: 'status,dostepnosc,status oferty,dostepne',
    reference:
      'numer oferty,nr oferty,id,id oferty,symbol,sygnatura,numer,numer referencyjny,nr ref,numer ogloszenia,id ogloszenia,symbol oferty,nr ogloszenia,numer oferty w biurze,identyfikator,kod oferty,nr',
    publishedAt:
      'dodano,data dodania,opublikowano,data publikacji,data,ogloszenie dodane,data wystawienia,dodane,data ogloszenia,wystawiono',
    updatedAt:
      'zaktualizowano,aktualizacja,data aktualizacji,ostatnia aktualizacja,zaktualizowane,opublikowano zaktualizowano',
    advertiserName: `ogloszeniodawca,biuro,agent,sprzedawca,wlasciciel,posrednik,opiekun,deweloper,agencja,oferte dodal,
      dodane przez,biuro nieruchomosci,opiekun oferty,kontakt do agenta,osoba kontaktowa`,
    advertiserPhone:
      'telefon,tel,tel kom,zadzwon,kom,numer telefonu,telefon kontaktowy,komorka telefon,pokaz numer',
    advertiserType:
      'typ ogloszeniodawcy,oferta od,rodzaj ogloszeniodawcy,ogloszenie od,oferta prywatna czy agencji',
    address: 'adres,ulica,ul',
    neighbourhood: 'dzielnica,osiedle,okolica,rejon,dzielnica osiedle',
    municipality: 'miasto,miejscowosc,gmina,lokalizacja miasto',
    province: 'wojewodztwo,powiat,region',
    postcode: 'kod pocztowy,kod',
    country: 'kraj',
    location: 'lokalizacja,polozenie,gdzie',
  },
  sections: {
    description:
      'opis,opis oferty,opis nieruchomosci,opis ogloszenia,szczegoly,o nieruchomosci,opis mieszkania,opis dodatkowy,tresc ogloszenia,opis domu',
    features:
      'cechy,wyposazenie,udogodnienia,informacje dodatkowe,parametry,szczegoly oferty,szczegoly ogloszenia,dodatkowe informacje,media,zabezpieczenia,atuty,wyposazenie mieszkania,charakterystyka',
    similar:
      'podobne oferty,podobne ogloszenia,podobne,zobacz takze,inne oferty,polecane oferty,polecane,podobne nieruchomosci,zobacz rowniez,podobne mieszkania,inne ogloszenia,ostatnio ogladane,powiazane,to moze cie zainteresowac,oferty w okolicy,najnowsze oferty,inni ogladali',
    advertiser: 'ogloszeniodawca,kontakt,skontaktuj sie,agent,biuro,opiekun oferty,kontakt z ogloszeniodawca',
    location: 'lokalizacja,mapa,polozenie,okolica',
  },
  operation: {
    sale: 'na sprzedaz,sprzedaz,sprzedam,kupno,sprzedaje,kup,do sprzedania,sprzedane,sprzedazy,sprzedana',
    rent: 'na wynajem,do wynajecia,wynajem,wynajme,wynajmu,najem,najmu,do wynajmu,wynajete,na doby,dzierzawa',
  },
  subtype: {
    apartment: 'mieszkanie,mieszkania,apartament,apartamenty,mieszkan,mieszkaniu,apartamentu',
    house:
      'dom,domy,dom wolnostojacy,szeregowiec,blizniak,segment,willa,dom jednorodzinny,domek,dworek,dom w zabudowie szeregowej,rezydencja,domu,domow,gospodarstwo,dom blizniak,palac,siedlisko',
    duplex: 'dwupoziomowe,mieszkanie dwupoziomowe,duplex',
    penthouse: 'penthouse',
    studio: 'kawalerka,kawalerki,studio,garsoniera',
    loft: 'loft,lofty',
    room: 'pokoj do wynajecia,pokoj na wynajem,stancja,wynajme pokoj,pokoj jednoosobowy,miejsce w pokoju',
    land: 'dzialka,dzialki,grunt,grunty,dzialka budowlana,dzialka rolna,teren,dzialke,dzialki budowlane',
    building: 'kamienica na sprzedaz,budynek,caly budynek,blok mieszkalny,kamienice',
    office: 'biuro na,biurowiec,lokal biurowy,powierzchnia biurowa,biura',
    premises:
      'lokal,lokal uzytkowy,lokal handlowy,hala,magazyn,lokal uslugowy,lokale uzytkowe,lokale,hale i magazyny,obiekt,hotel,restauracja,lokal gastronomiczny,hala magazynowa',
    garage: 'garaz,garaze,miejsce parkingowe,miejsce postojowe,miejsce garazowe',
    storage: 'komorka lokatorska,magazynek,schowek',
    mobile_home: 'domek mobilny,domek holenderski,przyczepa,dom mobilny',
  },
  condition: {
    new: 'nowe,nowy,stan deweloperski,deweloperski,nowe budownictwo,w budowie,nowy dom,stan surowy,rynek pierwotny,nowe mieszkanie',
    good: 'dobry,bardzo dobry,do zamieszkania,do wprowadzenia,po remoncie,idealny,wysoki standard,wyremontowane,wyremontowany,gotowe do zamieszkania,dobry stan,bardzo dobry stan,do wejscia,wysoki,stan bardzo dobry,stan dobry,idealne,odnowione,komfortowy',
    to_renovate:
      'do remontu,do wykonczenia,do odswiezenia,do kapitalnego remontu,do generalnego remontu,wymaga remontu,do odnowienia,do modernizacji,do rozbiorki,do generalnego remontu',
  },
  status: {
    reserved: 'zarezerwowane,rezerwacja,zarezerwowany,zarezerwowana,w rezerwacji',
    withdrawn:
      'sprzedane,wynajete,nieaktualne,ogloszenie nieaktualne,wycofane,sprzedany,niedostepne,nieaktualna,zakonczone,oferta archiwalna,archiwalne',
    available: 'dostepne,aktualne,wolne,od zaraz,aktywne,dostepny',
  },
  advertiserType: {
    private:
      'prywatna,osoba prywatna,prywatny,bezposrednio,wlasciciel,oferta prywatna,osoby prywatnej,bez posrednikow,od wlasciciela',
    agency:
      'agencja,biuro nieruchomosci,posrednik,deweloper,firma,nieruchomosci,agencji,biuro,biura nieruchomosci,dewelopera,profesjonalny',
  },
  energy: { in_progress: 'w przygotowaniu,w trakcie', exempt: 'nie dotyczy,zwolniony,nie wymagane' },
  period: {
    month: 'miesiac,mies,miesiecznie,za miesiac,mc,m c,miesieczny',
    week: 'tydzien,tygodniowo,za tydzien',
    year: 'rok,rocznie,za rok',
    day: 'doba,dobe,dzien,za dobe,dziennie,noc',
  },
  onRequest: 'zapytaj o cene,cena na zapytanie,na zapytanie,do uzgodnienia,cena do uzgodnienia,zapytaj',
  yes: 'tak,jest,w cenie',
  no: 'nie,brak,bez',
}
