import { expect, test } from 'vitest';
import { guessMapping, isOpen, readSheet, readSubscribers, type Answers } from './read.ts';
import type { Standing } from './words.ts';

/** A file in the shape of a program's export, with invented people, and what it says. */
type Fixture = {
	program: string;
	file: string;
	text: string;
	/** Standing, name and ISO day of each address in the file's order. */
	people: Record<string, [Standing, ...(string | undefined)[]]>;
	left?: Record<string, string>;
	dropped?: string[];
	labels?: Record<string, string[]>;
};

const MAILCHIMP_END = 'LEID,EUID,NOTES,TAGS';
const MAILCHIMP =
	'MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,LAST_CHANGED';

const FIXTURES: Fixture[] = [
	{
		program: 'Mailchimp, subscribed',
		file: 'subscribed_members_export_0a1b2c3d4e.csv',
		text: `"Email Address","First Name","Last Name",${MAILCHIMP},${MAILCHIMP_END}
"ada@example.com","Ada","North",4,"2020-02-03 04:05:06",192.0.2.1,"2020-02-03 04:06:00",192.0.2.1,52.5,13.4,1,2,Europe/Berlin,DE,BE,"2021-01-01 00:00:00",1001,aa01,"Met at a fair","""VIP"",""Blog"""
"bea@example.com","","",2,"",,"2019-05-06 07:08:09",192.0.2.2,,,,,,,,"2021-01-01 00:00:00",1002,aa02,,`,
		people: {
			'ada@example.com': ['active', 'Ada', 'North', '2020-02-03'],
			'bea@example.com': ['active', undefined, undefined, '2019-05-06'],
		},
		dropped: ['NOTES', 'MEMBER_RATING'],
		labels: { 'ada@example.com': ['VIP', 'Blog'] },
	},
	{
		program: 'Mailchimp, unsubscribed',
		file: 'unsubscribed_email_audience_export_0a1b2c3d4e.csv',
		text: `"Email Address","First Name","Last Name",MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_CAMPAIGN_ID,UNSUB_REASON,UNSUB_REASON_OTHER,${MAILCHIMP_END}
"cay@example.com","Cay","East",2,"2020-02-03 04:05:06",,"2020-02-03 04:06:00",,"2022-03-04 05:06:07","May","77","NORMAL","",1003,aa03,,`,
		people: { 'cay@example.com': ['left', 'Cay', 'East', '2020-02-03'] },
		left: { 'cay@example.com': '2022-03-04T05:06:07.000Z' },
	},
	{
		program: 'Mailchimp, unsubscribed and renamed',
		file: 'people.csv',
		text: `Email Address,MEMBER_RATING,OPTIN_TIME,UNSUB_TIME,UNSUB_REASON,${MAILCHIMP_END}\ncay@example.com,2,2020-02-03 04:05:06,2022-03-04 05:06:07,NORMAL,1003,aa03,,`,
		people: { 'cay@example.com': ['left', undefined, undefined, '2020-02-03'] },
		left: { 'cay@example.com': '2022-03-04T05:06:07.000Z' },
	},
	{
		program: 'Mailchimp, cleaned',
		file: 'cleaned_members_export_0a1b2c3d4e.csv',
		text: `Email Address,First Name,MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,CLEAN_TIME,CLEAN_CAMPAIGN_TITLE,CLEAN_CAMPAIGN_ID,${MAILCHIMP_END}\ndan@example.com,Dan,1,2020-02-03 04:05:06,2020-02-03 04:06:00,2023-04-05 06:07:08,May,77,1004,aa04,,`,
		people: { 'dan@example.com': ['bounced', 'Dan', undefined, '2020-02-03'] },
		left: { 'dan@example.com': '2023-04-05T06:07:08.000Z' },
	},
	{
		program: 'Mailchimp, non-subscribed',
		file: 'nonsubscribed_email_audience_export_0a1b2c3d4e.csv',
		text: `Email Address,First Name,${MAILCHIMP},${MAILCHIMP_END}\neve@example.com,Eve,2,,,2020-02-03 04:06:00,,,,,,,,,2021-01-01 00:00:00,1005,aa05,,`,
		people: { 'eve@example.com': ['unconfirmed', 'Eve', undefined, '2020-02-03'] },
	},
	{
		program: 'Mailchimp in German, unsubscribed',
		file: 'unsubscribed_members_export_0a1b2c3d4e.csv',
		text: `E-Mail-Adresse;Vorname;Nachname;MEMBER_RATING;OPTIN_TIME;UNSUB_TIME;LEID;EUID\nfia@example.com;Fia;Süd;2;2020-02-03 04:05:06;2022-03-04 05:06:07;1006;aa06`,
		people: { 'fia@example.com': ['left', 'Fia', 'Süd', '2020-02-03'] },
		left: { 'fia@example.com': '2022-03-04T05:06:07.000Z' },
	},
	{
		program: 'Mailchimp in French, subscribed',
		file: 'subscribed_members_export_0a1b2c3d4e.csv',
		text: `Adresse e-mail,Prénom,Nom,MEMBER_RATING,OPTIN_TIME,LEID,EUID\ngil@example.com,Gil,Ouest,2,2020-02-03 04:05:06,1007,aa07`,
		people: { 'gil@example.com': ['active', 'Gil', 'Ouest', '2020-02-03'] },
	},
	{
		program: 'Mailchimp in Spanish, cleaned',
		file: 'cleaned_members_export_0a1b2c3d4e.csv',
		text: `Correo electrónico,Nombre,Apellidos,MEMBER_RATING,OPTIN_TIME,CLEAN_TIME,LEID,EUID\nhal@example.com,Hal,Sur,2,2020-02-03 04:05:06,2023-04-05 06:07:08,1008,aa08`,
		people: { 'hal@example.com': ['bounced', 'Hal', 'Sur', '2020-02-03'] },
	},
	{
		program: 'Ghost',
		file: 'members.2024-05-06.csv',
		text: `id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers
65a,ann@example.com,Ann North,Knows us,true,,,2023-01-02T03:04:05.000Z,,"vip,beta",
65b,left@example.com,Bob,,false,false,,2023-01-03T03:04:05.000Z,,,
65c,gone@example.com,Cy,,true,,,2023-01-04T03:04:05.000Z,2024-02-03T04:05:06.000Z,,`,
		people: {
			'ann@example.com': ['active', 'Ann North', undefined, '2023-01-02'],
			'left@example.com': ['left', 'Bob', undefined, '2023-01-03'],
			'gone@example.com': ['left', 'Cy', undefined, '2023-01-04'],
		},
		left: { 'gone@example.com': '2024-02-03T04:05:06.000Z' },
		dropped: ['note', 'complimentary_plan'],
		labels: { 'ann@example.com': ['vip', 'beta'] },
	},
	{
		program: 'Substack',
		file: 'email_list.example.csv',
		text: `email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at
s1@example.com,false,,other,false,2023-01-02T03:04:05.000Z,
s2@example.com,true,2027-01-01T00:00:00.000Z,yearly,false,2023-01-03T03:04:05.000Z,2023-02-03T00:00:00.000Z
s3@example.com,false,,other,true,2023-01-04T03:04:05.000Z,`,
		people: {
			's1@example.com': ['active', undefined, undefined, '2023-01-02'],
			's2@example.com': ['active', undefined, undefined, '2023-01-03'],
			's3@example.com': ['left', undefined, undefined, '2023-01-04'],
		},
		dropped: ['active_subscription', 'plan'],
	},
	{
		program: 'listmonk',
		file: 'subscribers.csv',
		text: `uuid,email,name,attributes,status,created_at,updated_at
1f1,l1@example.com,Lu One,"{""city"": ""Oslo""}",enabled,2023-01-02T03:04:05.678901+02:00,2024-01-01T00:00:00Z
1f2,l2@example.com,Lu Two,{},disabled,2023-01-03 03:04:05.12+00,2024-01-01T00:00:00Z
1f3,l3@example.com,Lu Three,{},blocklisted,2023-01-04T03:04:05Z,2024-01-01T00:00:00Z`,
		people: {
			'l1@example.com': ['active', 'Lu One', undefined, '2023-01-02'],
			'l2@example.com': ['left', 'Lu Two', undefined, '2023-01-03'],
			'l3@example.com': ['blocked', 'Lu Three', undefined, '2023-01-04'],
		},
		dropped: ['attributes'],
	},
	{
		program: 'Buttondown',
		file: 'subscribers.csv',
		text: `id,email_address,creation_date,notes,tags,metadata,type,unsubscription_date,unsubscription_reason,undeliverability_date,referrer_url
sub_1,b1@example.com,2023-01-02T03:04:05Z,,news,{},regular,,,,
sub_2,b2@example.com,2023-01-03T03:04:05Z,,,{},premium,,,,
sub_3,b3@example.com,2023-01-04T03:04:05Z,,,{},unsubscribed,2024-02-03T04:05:06Z,too many,,
sub_4,b4@example.com,2023-01-05T03:04:05Z,,,{},unactivated,,,,
sub_5,b5@example.com,2023-01-06T03:04:05Z,,,{},regular,,,2024-03-04T00:00:00Z,
sub_6,b6@example.com,2023-01-07T03:04:05Z,,,{},spammy,,,,`,
		people: {
			'b1@example.com': ['active', undefined, undefined, '2023-01-02'],
			'b2@example.com': ['active', undefined, undefined, '2023-01-03'],
			'b3@example.com': ['left', undefined, undefined, '2023-01-04'],
			'b4@example.com': ['unconfirmed', undefined, undefined, '2023-01-05'],
			'b5@example.com': ['bounced', undefined, undefined, '2023-01-06'],
			'b6@example.com': ['blocked', undefined, undefined, '2023-01-07'],
		},
		left: {
			'b3@example.com': '2024-02-03T04:05:06.000Z',
			'b5@example.com': '2024-03-04T00:00:00.000Z',
		},
		labels: { 'b1@example.com': ['news'] },
	},
	{
		program: 'Kit',
		file: 'Confirmed Subscribers.csv',
		text: `first_name,email,created_at,status,tags
Kim,k1@example.com,2023-01-02 03:04:05 UTC,active,"one, two"
Kai,k2@example.com,2023-01-03 03:04:05 UTC,cancelled,
Kit,k3@example.com,2023-01-04 03:04:05 UTC,bounced,
Kay,k4@example.com,2023-01-05 03:04:05 UTC,complained,
Kia,k5@example.com,2023-01-06 03:04:05 UTC,inactive,`,
		people: {
			'k1@example.com': ['active', 'Kim', undefined, '2023-01-02'],
			'k2@example.com': ['left', 'Kai', undefined, '2023-01-03'],
			'k3@example.com': ['bounced', 'Kit', undefined, '2023-01-04'],
			'k4@example.com': ['blocked', 'Kay', undefined, '2023-01-05'],
			'k5@example.com': ['left', 'Kia', undefined, '2023-01-06'],
		},
		labels: { 'k1@example.com': ['one', 'two'] },
	},
	{
		program: 'MailerLite, all',
		file: 'subscribers.csv',
		text: `Email,Status,Subscribed,Unsubscribed,Location,Name,Last name
m1@example.com,Active,2023-01-02 03:04:05,,Oslo,May,North
m2@example.com,Unsubscribed,2023-01-03 03:04:05,2024-02-03 04:05:06,,Mo,
m3@example.com,Junk,2023-01-04 03:04:05,,,Mu,
m4@example.com,Unconfirmed,2023-01-05 03:04:05,,,My,
m5@example.com,Bounced,2023-01-06 03:04:05,,,Ma,`,
		people: {
			'm1@example.com': ['active', 'May', 'North', '2023-01-02'],
			'm2@example.com': ['left', 'Mo', undefined, '2023-01-03'],
			'm3@example.com': ['blocked', 'Mu', undefined, '2023-01-04'],
			'm4@example.com': ['unconfirmed', 'My', undefined, '2023-01-05'],
			'm5@example.com': ['bounced', 'Ma', undefined, '2023-01-06'],
		},
		left: { 'm2@example.com': '2024-02-03T04:05:06.000Z' },
		dropped: ['Location'],
	},
	{
		program: 'MailerLite Classic',
		file: 'subscribers.csv',
		text: `Subscriber,Sent,Opens,Clicks,Subscribed,Location\nm6@example.com,10,5,1,2023-01-02 03:04:05,Oslo`,
		people: { 'm6@example.com': ['active', undefined, undefined, '2023-01-02'] },
		dropped: ['Sent', 'Opens', 'Clicks', 'Location'],
	},
	{
		program: 'Keila',
		file: 'contacts_project_2024.csv',
		text: `Email,First name,Last name,Data,Status,External ID
e1@example.com,Eli,North,"{""a"":1}",active,
e2@example.com,Ela,East,{},unsubscribed,
e3@example.com,Elo,South,{},unreachable,`,
		people: {
			'e1@example.com': ['active', 'Eli', 'North'],
			'e2@example.com': ['left', 'Ela', 'East'],
			'e3@example.com': ['bounced', 'Elo', 'South'],
		},
		dropped: ['Data'],
	},
	{
		program: 'Beehiiv',
		file: 'subscribers_2024-05-06.csv',
		text: `id,email,status,created_at,subscription_tier,utm_source,utm_medium,referral_code,stripe_customer_id
sub_1,h1@example.com,active,1672628645,free,twitter,,x1,
sub_2,h2@example.com,inactive,1672715045,free,,,x2,
sub_3,h3@example.com,pending,1672801445,free,,,x3,
sub_4,h4@example.com,invalid,1672887845,free,,,x4,
sub_5,h5@example.com,validating,1672974245,free,,,x5,
sub_6,h6@example.com,needs_attention,1673060645,free,,,x6,`,
		people: {
			'h1@example.com': ['active', undefined, undefined, '2023-01-02'],
			'h2@example.com': ['left', undefined, undefined, '2023-01-03'],
			'h3@example.com': ['unconfirmed', undefined, undefined, '2023-01-04'],
			'h4@example.com': ['bounced', undefined, undefined, '2023-01-05'],
			'h5@example.com': ['unconfirmed', undefined, undefined, '2023-01-06'],
			'h6@example.com': ['unconfirmed', undefined, undefined, '2023-01-07'],
		},
		dropped: ['subscription_tier'],
	},
	{
		program: 'Brevo',
		file: 'export.csv',
		text: `CONTACT ID;EMAIL;LASTNAME;FIRSTNAME;SMS;EMAIL_BLACKLISTED;SMS_BLACKLISTED;ADDED_TIME;MODIFIED_TIME
1;r1@example.com;North;Ria;4900000;No;Yes;12-04-2022 09:30;13-04-2022 10:00
2;r2@example.com;East;Rob;;Yes;No;01-05-2022 09:30;13-05-2022 10:00`,
		people: {
			'r1@example.com': ['active', 'Ria', 'North', '2022-04-12'],
			'r2@example.com': ['blocked', 'Rob', 'East', '2022-05-01'],
		},
		dropped: ['SMS'],
	},
	{
		program: 'Brevo in French, with its state in words',
		file: 'export.csv',
		text: `EMAIL;NOM;PRENOM;Email marketing status;ADDED_TIME
r3@example.com;Nord;Rémi;Subscribed;2022-04-12 09:30:00
r4@example.com;Est;Rose;Unsubscribed;2022-04-13 09:30:00
r5@example.com;Sud;Ré;Never subscribed;2022-04-14 09:30:00`,
		people: {
			'r3@example.com': ['active', 'Rémi', 'Nord', '2022-04-12'],
			'r4@example.com': ['left', 'Rose', 'Est', '2022-04-13'],
			'r5@example.com': ['unconfirmed', 'Ré', 'Sud', '2022-04-14'],
		},
	},
	{
		program: 'HubSpot, with the reasons of bounces',
		file: 'hubspot-crm-exports-all-contacts-2026-11-29.csv',
		text: `Record ID,First Name,Last Name,Email,Unsubscribed from all email,Email hard bounce reason,Create Date
1,Ada,North,ada@example.com,,,2024-01-02 03:04
2,Bea,South,bea@example.com,Yes,,2024-01-02 03:04
3,Cay,East,cay@example.com,false,UNKNOWN_USER,2024-01-02 03:04`,
		people: {
			'ada@example.com': ['active', 'Ada', 'North', '2024-01-02'],
			'bea@example.com': ['left', 'Bea', 'South', '2024-01-02'],
			'cay@example.com': ['bounced', 'Cay', 'East', '2024-01-02'],
		},
	},
	{
		program: 'A flag of having left, in Korean',
		file: 'list.csv',
		text: '이메일,이름,수신거부\nada@example.com,Ada,N\nbea@example.com,Bea,Y',
		people: { 'ada@example.com': ['active'], 'bea@example.com': ['left'] },
	},
	{
		program: 'A list without a header',
		file: 'list.csv',
		text: 'w1@example.com,subscribed\nw2@example.com,unsubscribed\nw3@example.com,bounced\n',
		people: {
			'w1@example.com': ['active'],
			'w2@example.com': ['left'],
			'w3@example.com': ['bounced'],
		},
	},
	{
		program: 'A column of a name that is not known, in Italian words',
		file: 'list.csv',
		text: 'email,Situazione\nx1@example.com,Iscritto\nx2@example.com,Disiscritto\nx3@example.com,Non confermato\n',
		people: {
			'x1@example.com': ['active'],
			'x2@example.com': ['left'],
			'x3@example.com': ['unconfirmed'],
		},
	},
	{
		program: 'Consent that was not given, and a double opt-in that was not confirmed',
		file: 'list.csv',
		text: 'email,consent,double_opt_in\ny1@example.com,yes,yes\ny2@example.com,no,yes\ny3@example.com,yes,no\n',
		people: {
			'y1@example.com': ['active'],
			'y2@example.com': ['left'],
			'y3@example.com': ['unconfirmed'],
		},
	},
];

const read = (text: string, file = '') => {
	const sheet = readSheet(text);
	return readSubscribers(sheet, guessMapping(sheet.header, sheet.rows), {}, file);
};

test.each(FIXTURES)(
	'$program is read by its own words',
	({ text, file, people, left, dropped, labels }) => {
		const reading = read(text, file);
		expect(reading.errors).toEqual([]);
		expect(isOpen(reading)).toBe(false);
		const wanted: Record<string, number> = {
			active: 0,
			left: 0,
			bounced: 0,
			blocked: 0,
			unconfirmed: 0,
		};
		for (const [standing] of Object.values(people)) wanted[standing]!++;
		expect(reading.standings).toEqual(wanted);
		expect(
			reading.subscribers.map(({ email, active, name, lastName, createdAt }) => [
				email,
				active,
				name ?? undefined,
				lastName ?? undefined,
				createdAt?.slice(0, 10),
			]),
		).toEqual(
			Object.entries(people).map(([email, [standing, name, lastName, day]]) => [
				email,
				standing === 'active',
				name,
				lastName,
				day,
			]),
		);
		for (const [email, at] of Object.entries(left ?? {}))
			expect(reading.subscribers.find((one) => one.email === email)?.leftAt).toBe(at);
		expect(reading.dropped).toEqual(expect.arrayContaining(dropped ?? []));
		const labeled = reading.subscribers.filter((one) => one.labels);
		expect(Object.fromEntries(labeled.map((one) => [one.email, one.labels]))).toEqual(labels ?? {});
	},
);

test.each([
	['a word that is not known', 'email,status\na@example.com,on holiday'],
	['an empty cell among words', 'email,status\na@example.com,\nb@example.com,active'],
	['a column of other states', 'email,State\na@example.com,OR\nb@example.com,CA'],
	['a state of delivery', 'address,delivery_status\na@example.com,enabled\nb@example.com,by_user'],
	['a state in Japanese', 'メール,購読状態\na@example.com,購読中\nb@example.com,解除済み'],
	['a state in Russian', 'email,Статус подписки\na@example.com,активен'],
	['a flag that is no yes or no', 'email,blocklisted\na@example.com,maybe'],
	['a file of Mailchimp by another name', 'Email Address,OPTIN_TIME,LEID,EUID\na@example.com,,1,a'],
	['dates that may be read two ways', 'email,created_at\na@example.com,05/01/2023'],
])('%s is asked about', (_, text) => {
	expect(isOpen(read(text))).toBe(true);
});

test.each([
	[
		'AWeber',
		'Email,Add Time,Stop Time\nin@x.example,2023-01-02,\nout@x.example,2023-01-02,2023-05-06',
	],
	['Mautic', 'email,donotemail\nin@x.example,0\nout@x.example,1'],
	['Mautic, in words', 'email,Do Not Contact\nin@x.example,No\nout@x.example,Yes'],
	['Mautic, by channel', 'email,dnc\nin@x.example,\nout@x.example,yes'],
	['MailUp', 'Email,OptOut_Date\nin@x.example,\nout@x.example,20110122T111244'],
	['useSend', 'Email,Subscribed,Unsubscribe Reason\nin@x.example,Yes,\nout@x.example,Yes,BOUNCED'],
	['Discourse', 'email,active,email_digests\nin@x.example,true,true\nout@x.example,true,false'],
	['a suspended account', 'email,suspended\nin@x.example,\nout@x.example,2021-01-01'],
	['what may be mailed', 'email,can_email\nin@x.example,true\nout@x.example,false'],
	['who can be reached', 'email,mailable\nin@x.example,1\nout@x.example,0'],
	['a consent withdrawn', 'Email,Withdrew consent at\nin@x.example,\nout@x.example,2023-01-01'],
	['Swedish', 'E-post,Avregistrerad\nin@x.example,Nej\nout@x.example,Ja'],
	['Danish', 'E-mail,Frameldt dato\nin@x.example,\nout@x.example,2020-01-01'],
	['Czech', 'E-mail,Odhlášen\nin@x.example,ne\nout@x.example,ano'],
	['Hungarian', 'E-mail,Leiratkozott\nin@x.example,nem\nout@x.example,igen'],
	['Romanian', 'Email,Dezabonat\nin@x.example,nu\nout@x.example,da'],
	['Greek', 'Email,Απεγγραφή\nin@x.example,\nout@x.example,2020-01-01'],
	['Chinese', '邮箱,是否退订\nin@x.example,否\nout@x.example,是'],
	['Persian', 'Email,لغو اشتراک\nin@x.example,خیر\nout@x.example,بله'],
])('%s: who left is not active, and who stays is', (_, text) => {
	const reading = read(text);
	expect([isOpen(reading), reading.errors]).toEqual([false, []]);
	expect(reading.subscribers.map(({ email, active }) => [email, active])).toEqual([
		['in@x.example', true],
		['out@x.example', false],
	]);
});

test.each([
	[
		'yes and no below a name that is not known',
		'email,Diterima\na@x.example,ya\nb@x.example,tidak',
	],
	['times below one, of some', 'email,Peruutettu\na@x.example,\nb@x.example,2020-01-01'],
	['times and zeros', 'email,activated\na@x.example,2020-01-02\nb@x.example,0'],
	['how often, which may be never', 'email,frequency\na@x.example,daily\nb@x.example,never'],
	['a label of who left', 'email,tags\na@x.example,"VIP, news"\nb@x.example,"VIP, unsubscribed"'],
])('%s: nobody is taken before it is answered, or said to be something else', (_, text) => {
	const reading = read(text);
	expect(isOpen(reading)).toBe(true);
	expect(reading.subscribers.filter(({ email }) => email === 'b@x.example')).toEqual([]);
	const [state] = reading.states;
	const sheet = readSheet(text);
	const answer = (answers: Answers) =>
		readSubscribers(sheet, guessMapping(sheet.header, sheet.rows), answers);
	const values = state!.unknown.map(({ value }) => [`${state!.column} ${value}`, 'left'] as const);
	const answered = answer({ values: Object.fromEntries(values) });
	expect(isOpen(answered, { values: Object.fromEntries(values) })).toBe(false);
	expect(answered.subscribers.find(({ email }) => email === 'b@x.example')?.active).toBe(false);
	const ignored = answer({ ignored: [state!.column] });
	expect([isOpen(ignored), ignored.subscribers.map(({ active }) => active)]).toEqual([
		false,
		[true, true],
	]);
});

test.each([
	[
		'orders and birthdays',
		'email,Orders,Birthday,Last open\na@x.example,0,,\nb@x.example,1,1990-01-02,2020-01-01',
	],
	['numbers of a row', 'Email Address,LEID\na@x.example,1\nb@x.example,0'],
	['a member since', 'email,Joined\na@x.example,\nb@x.example,2020-01-01'],
	[
		'labels that are topics',
		'email,tags\na@x.example,"spam filters, left joins"\nb@x.example,archives',
	],
])('%s are not asked about', (_, text) => {
	const reading = read(text);
	expect(isOpen(reading)).toBe(false);
	expect(reading.subscribers.map(({ active }) => active)).toEqual([true, true]);
});

test('what the owner answers is taken', () => {
	const sheet = readSheet(
		'email,status,state,created_at\na@x.example,on holiday,OR,05/01/2023\nb@x.example,active,CA,06/01/2023',
	);
	const mapping = guessMapping(sheet.header);
	const answers = {
		values: { '1 on holiday': 'left' as const },
		ignored: [2],
		dateOrder: 'month' as const,
	};
	const reading = readSubscribers(sheet, mapping, answers);
	expect(reading.subscribers.map(({ active, createdAt }) => [active, createdAt])).toEqual([
		[false, '2023-05-01T00:00:00.000Z'],
		[true, '2023-06-01T00:00:00.000Z'],
	]);
});

test('a name in the file or a mark for links is no part of the address', () => {
	const { subscribers, errors } = read(
		'Name,Email\nAnn,Ann Smith <ann@example.com>\nBob,<bob@example.com>\nCarl,mailto:carl@example.com?subject=Hi\nDee,\u200Bdee@example.com\u00A0\nEd,"""Ed, E."" <ed@bücher.example>"',
	);
	expect(errors).toEqual([]);
	expect(subscribers.map(({ email }) => email)).toEqual([
		'ann@example.com',
		'bob@example.com',
		'carl@example.com',
		'dee@example.com',
		'ed@xn--bcher-kva.example',
	]);
});
