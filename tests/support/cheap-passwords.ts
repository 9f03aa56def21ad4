/** Makes passwords of API tests cost little to derive; what they really cost is tested beside their code. */
import { PASSWORD_COST } from '#src/core/session/password.server.ts';

PASSWORD_COST.N = 16;
