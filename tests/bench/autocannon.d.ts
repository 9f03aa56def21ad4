declare module 'autocannon' {
	type Request = { path: string; headers?: Record<string, string>; body?: string };
	type Options = {
		url: string;
		connections: number;
		/** Seconds. */
		duration: number;
		requests: { method: string; setupRequest(request: Request): Request }[];
	};
	type Result = {
		requests: { average: number; total: number };
		/** Milliseconds. */
		latency: { p50: number; p99: number };
		non2xx: number;
		/** Requests without an answer. */
		errors: number;
		statusCodeStats: Record<string, { count: number }>;
	};
	export default function autocannon(options: Options): Promise<Result>;
}
