/** A feed of one property with every element of Kyero v3 that portals read, and some that they ignore. */
export const kyeroSample = `<?xml version="1.0" encoding="UTF-8"?>
<root>
  <kyero>
    <feed_version>3</feed_version>
  </kyero>
  <property>
    <id>40512</id>
    <date>2025-06-14 09:30:05</date>
    <ref>CASA-7</ref>
    <price>312000</price>
    <currency>EUR</currency>
    <price_freq>sale</price_freq>
    <part_ownership>0</part_ownership>
    <leasehold>0</leasehold>
    <new_build>0</new_build>
    <type>villa</type>
    <town>nerja</town>
    <province>malaga</province>
    <location>
      <latitude>36.753912</latitude>
      <longitude>-3.874105</longitude>
    </location>
    <location_detail>Urb Los Almendros</location_detail>
    <beds>4</beds>
    <baths>3</baths>
    <pool>1</pool>
    <surface_area>
      <built>180</built>
      <plot>620</plot>
    </surface_area>
    <energy_rating>
      <consumption>D</consumption>
      <emissions>C</emissions>
    </energy_rating>
    <url>
      <de>https://feeds.example/de/40512</de>
      <en>https://feeds.example/en/40512</en>
      <es>https://feeds.example/es/40512</es>
    </url>
    <desc>
      <de>Haus mit Garten</de>
      <en>House with a garden</en>
      <es>Casa con jardín</es>
    </desc>
    <features>
      <feature>Fitted kitchen</feature>
    </features>
    <notes>Only for the office: keys with the neighbour</notes>
    <images>
      <image id="1"><url>https://feeds.example/40512/1.jpg</url></image>
      <image id="2"><url>https://feeds.example/40512/2.jpg</url></image>
    </images>
  </property>
</root>
`
